// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/comm_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test/core/tree/fake_tree.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

FakeJob job_on_nodes(int num_nodes) {
    FakeJob job;
    for (int node = 0; node < num_nodes; ++node) {
        for (int core = 0; core < 4; ++core) {
            job.push_back(on_host("node" + std::to_string(node))
                              .has(make_machine({2, 1, 1, 2}))
                              .runs_on(std::to_string(core)));
        }
    }
    return job;
}

// The tree of an intercommunicator where num_remote > 0.
CommTree comm_tree_of(int num_nodes, std::size_t first_local, std::size_t num_local,
                      std::size_t num_remote) {
    CommSides sides(nullptr);
    sides.first_local = first_local;
    sides.num_local = num_local;
    sides.num_remote = num_remote;
    return {tree_of(job_on_nodes(num_nodes)), sides, CpuSet()};
}

bool is_address_of(const std::int32_t* row, const CommTree& tree, std::size_t rank) {
    const Address address = tree.tree().address(static_cast<std::uint32_t>(rank));
    return std::equal(address.begin(), address.end(), row);
}

// A process of an intercommunicator whose local group comes second in the tree.
TEST(CommTree, rows_begin_with_the_local_group) {
    CommTree tree = comm_tree_of(2, 5, 3, 5);
    std::int32_t** all = tree.rows();
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_TRUE(is_address_of(all[i], tree, i < 3 ? 5 + i : i - 3));
    }
}

TEST(CommTree, rows_stay_where_they_are) {
    CommTree tree = comm_tree_of(10, 0, 40, 0);
    std::int32_t* const seventh = tree.row(7);
    std::int32_t* const last = tree.row(39);
    std::int32_t** all = tree.rows();
    EXPECT_EQ(all[7], seventh);
    EXPECT_EQ(all[39], last);
    EXPECT_EQ(tree.row(7), seventh);
    EXPECT_EQ(tree.row(8), all[8]);
    EXPECT_EQ(tree.rows(), all);
}

// One by one, which ends in all at once.
TEST(CommTree, rows_are_made_for_all_who_ask_one_by_one) {
    CommTree tree = comm_tree_of(10, 0, 40, 0);
    std::vector<std::int32_t*> each;
    for (std::size_t rank = 40; rank-- > 0;) {
        each.push_back(tree.row(rank));
        EXPECT_TRUE(is_address_of(each.back(), tree, rank));
    }
    EXPECT_EQ(std::set<std::int32_t*>(each.begin(), each.end()).size(), 40u);
    for (std::size_t i = 0; i < 40; ++i) {
        EXPECT_EQ(tree.rows()[39 - i], each[i]);
    }
}

// 2000 rows are 64 000 bytes, and the pointers to them 16 000.
TEST(CommTree, one_row_takes_no_memory_for_others) {
    CommTree tree = comm_tree_of(500, 0, 2000, 0);
    const CountedMemory of_one;
    tree.row(1234);
    EXPECT_LT(of_one.peak_bytes(), 1000u);
    const CountedMemory of_all;
    tree.rows();
    EXPECT_GE(of_all.peak_bytes(), 80000u);
}

}  // namespace
}  // namespace hitopo
