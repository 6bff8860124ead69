// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/help_file.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

constexpr const char* kFile =
    "# a comment\n"
    "[first]\n"
    "Rank %s has\n"
    "\n"
    "    %s\n"
    "# not printed\n"
    "of %s.\n"
    "#\n"
    "[second topic]\n"
    "100% of it\n"
    "[empty]\n";

const std::string kRule(74, '-');

TEST(HelpFile, values_come_in_their_order) {
    EXPECT_EQ(help_text(kFile, "first", {"3", "50%s", "n1"}),
              kRule + "\nRank 3 has\n\n    50%s\nof n1.\n" + kRule + "\n");
}

TEST(HelpFile, values_are_safe_on_terminals) {
    EXPECT_EQ(help_text(kFile, "first", {"\x1b[31m", "a\nb", "J\u00fclich"}),
              kRule + "\nRank \\x1b[31m has\n\n    a\\x0ab\nof J\\xfclich.\n" + kRule + "\n");
    EXPECT_EQ(help_text("[lines]\n%l\n%s\n", "lines", {"\n  a\x1b\n  b\n", "c"}),
              kRule + "\n\n  a\\x1b\n  b\n\nc\n" + kRule + "\n");
}

TEST(HelpFile, values_may_be_too_few_or_too_many) {
    EXPECT_EQ(help_text(kFile, "first", {"3"}), kRule + "\nRank 3 has\n\n    \nof .\n" + kRule + "\n");
    EXPECT_EQ(help_text(kFile, "second topic", {"3"}), kRule + "\n100% of it\n" + kRule + "\n");
}

TEST(HelpFile, a_topic_is_named_whole) {
    EXPECT_EQ(help_text(kFile, "second", {}), std::nullopt);
    EXPECT_EQ(help_text(kFile, "", {}), std::nullopt);
    EXPECT_EQ(help_text("", "first", {}), std::nullopt);
    EXPECT_EQ(help_text(kFile, "empty", {}), kRule + "\n\n" + kRule + "\n");
}

}  // namespace
}  // namespace hitopo
