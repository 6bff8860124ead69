// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests show/table.cc.
#include "ompi/tools/hitopo/formats.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

// Levels that all know, that some and that nobody knows; unbound processes; names with control
// characters.
TEST(Formats, of_the_fixtures) {
    for (const std::string name : {"two-islands", "one-node-unbound", "partly-known"}) {
        EXPECT_EQ(format_table(table_fixture(name), Charset::kUtf8), fixture(name + ".table.txt"));
    }
    for (const std::string name : {"two-islands", "one-node-unbound", "partly-known", "hostile-names"}) {
        EXPECT_EQ(format_tree(table_fixture(name), Charset::kUtf8), fixture(name + ".tree.txt"));
    }
    EXPECT_EQ(format_tree(table_fixture("partly-known"), Charset::kAscii),
              fixture("partly-known.tree-ascii.txt"));
}

TEST(Table, numbers_end_below_each_other) {
    const std::string text = format_table(regular_table(12, 1), Charset::kUtf8);
    EXPECT_NE(text.find("   9  0 -      0 -     2 leaf2   9 node9 "), std::string::npos) << text;
    EXPECT_NE(text.find("  10  0 -      0 -     2 leaf2  10 node10"), std::string::npos) << text;
}

TEST(Table, ranks_of_large_jobs_end_below_each_other) {
    const std::string text = format_table(regular_table(100, 200), Charset::kUtf8);
    EXPECT_NE(text.find("\n    9  0 -"), std::string::npos);
    EXPECT_NE(text.find("\n19999  0 -"), std::string::npos);
}

TEST(Tree, cores_of_several_ranks_stand_singly) {
    TableDocument table = regular_table(1, 6);
    table.ranks[1].address[kCore] = 0;  // core 0 has ranks 0 and 1, core 1 none
    const std::string text = format_tree(table, Charset::kAscii);
    EXPECT_NE(text.find("|- core 0: ranks 0-1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("`- core 2: rank 2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("socket 1, cores 0-2: ranks 3-5\n"), std::string::npos) << text;
}

TEST(Formats, an_empty_table_is_no_crash) {
    const TableDocument table;
    EXPECT_FALSE(format_table(table, Charset::kUtf8).empty());
    EXPECT_FALSE(format_tree(table, Charset::kUtf8).empty());
    EXPECT_FALSE(format_svg(table).empty());
}

}  // namespace
}  // namespace hitopo::tool
