// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test/core/tree/fake_tree.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

AddressTree tree_of_nodes(int num_nodes) {
    FakeJob job;
    for (int node = 0; node < num_nodes; ++node) {
        for (int core = 0; core < 4; ++core) {
            job.push_back(on_host("node" + std::to_string(node))
                              .has(make_machine({2, 1, 1, 2}))
                              .runs_on(std::to_string(core)));
        }
    }
    return tree_of(job);
}

bool is_address_of(const std::int32_t* row, const AddressTree& tree, std::size_t rank) {
    const Address address = tree.address(static_cast<std::uint32_t>(rank));
    return std::equal(address.begin(), address.end(), row);
}

TEST(Rows, are_the_addresses) {
    const AddressTree tree = tree_of_nodes(3);
    Rows rows(tree, {0, 12}, {0, 0});
    for (std::size_t rank = 0; rank < 12; ++rank) {
        EXPECT_TRUE(is_address_of(rows.row(rank), tree, rank));
        EXPECT_TRUE(is_address_of(rows.all()[rank], tree, rank));
    }
}

// A process of an intercommunicator whose local group comes second in the tree.
TEST(Rows, begin_with_the_local_part) {
    const AddressTree tree = tree_of_nodes(2);
    Rows rows(tree, {5, 3}, {0, 5});
    std::int32_t** all = rows.all();
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_TRUE(is_address_of(all[i], tree, i < 3 ? 5 + i : i - 3));
    }
}

TEST(Rows, stay_where_they_are) {
    const AddressTree tree = tree_of_nodes(10);
    Rows rows(tree, {0, 40}, {0, 0});
    std::int32_t* const seventh = rows.row(7);
    std::int32_t* const last = rows.row(39);
    std::int32_t** all = rows.all();
    EXPECT_EQ(all[7], seventh);
    EXPECT_EQ(all[39], last);
    EXPECT_EQ(rows.row(7), seventh);
    EXPECT_EQ(rows.row(8), all[8]);
    EXPECT_EQ(rows.all(), all);
}

// One by one, which ends in all at once.
TEST(Rows, are_made_for_all_who_ask_one_by_one) {
    const AddressTree tree = tree_of_nodes(10);
    Rows rows(tree, {0, 40}, {0, 0});
    std::vector<std::int32_t*> each;
    for (std::size_t rank = 40; rank-- > 0;) {
        each.push_back(rows.row(rank));
        EXPECT_TRUE(is_address_of(each.back(), tree, rank));
    }
    EXPECT_EQ(std::set<std::int32_t*>(each.begin(), each.end()).size(), 40u);
    for (std::size_t i = 0; i < 40; ++i) {
        EXPECT_EQ(rows.all()[39 - i], each[i]);
    }
}

// 2000 rows are 64 000 bytes, and the pointers to them 16 000.
TEST(Rows, one_takes_no_memory_for_others) {
    const AddressTree tree = tree_of_nodes(500);
    Rows rows(tree, {0, 2000}, {0, 0});
    const CountedMemory of_one;
    rows.row(1234);
    EXPECT_LT(of_one.peak_bytes(), 1000u);
    const CountedMemory of_all;
    rows.all();
    EXPECT_GE(of_all.peak_bytes(), 80000u);
}

}  // namespace
}  // namespace hitopo
