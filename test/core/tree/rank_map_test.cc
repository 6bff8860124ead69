// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/rank_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Nodes = std::vector<std::uint32_t>;  // by rank

// Node and index of each rank, found by counting.
void expect_members(const Nodes& node_of, const RankMap& ranks) {
    std::vector<std::uint32_t> next(
        static_cast<std::size_t>(*std::max_element(node_of.begin(), node_of.end())) + 1, 0);
    for (std::uint32_t rank = 0; rank < node_of.size(); ++rank) {
        const RankMap::Member member = ranks.member(rank);
        ASSERT_EQ(member.node, node_of[rank]) << "rank " << rank;
        ASSERT_EQ(member.index, next[node_of[rank]]++) << "rank " << rank;
        ASSERT_EQ(ranks.rank(member), rank);
    }
}

// Blocks dealt in turns, some ranks exchanged, or any order.
TEST(RankMap, tells_what_counting_tells) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t num_nodes = 1 + below(6);
        const std::uint32_t at_a_time = 1 + below(4);
        std::vector<std::uint32_t> left(num_nodes);
        for (std::uint32_t& count : left) {
            count = 1 + below(8);
        }
        Nodes node_of;
        const std::size_t size = std::accumulate(left.begin(), left.end(), std::size_t{0});
        for (std::uint32_t node = 0; node_of.size() < size; node = (node + 1) % num_nodes) {
            for (std::uint32_t block = at_a_time; block > 0 && left[node] > 0; --block) {
                node_of.push_back(node);
                --left[node];
            }
        }
        for (std::uint32_t swaps = below(3); swaps > 0; --swaps) {
            std::swap(node_of[random() % size], node_of[random() % size]);
        }
        if (below(4) == 0) {
            std::shuffle(node_of.begin(), node_of.end(), random);
        }
        ASSERT_NO_FATAL_FAILURE(expect_members(node_of, RankMap(node_of, num_nodes)));
    }
}

TEST(RankMap, takes_memory_for_nodes_not_for_ranks_by_a_rule) {
    Nodes by_node(100000);
    for (std::uint32_t rank = 0; rank < by_node.size(); ++rank) {
        by_node[rank] = rank % 2000;
    }
    Nodes by_slot(100000);
    for (std::uint32_t rank = 0; rank < by_slot.size(); ++rank) {
        by_slot[rank] = rank / 50;
    }
    for (const Nodes& node_of : {by_node, by_slot}) {
        const CountedMemory before;
        const RankMap ranks(node_of, 2000);
        EXPECT_LE(before.kept_bytes(), 2000 * 20U + 100);
        expect_members(node_of, ranks);
    }
}

}  // namespace
}  // namespace hitopo
