// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Scotch itself, in the module that is installed: a module that does not answer fails here, though
// orders go on without it.
#include "ompi/mca/topo/hitopo/scotch/scotch_mapping.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

class ScotchMapping : public testing::Test {
protected:
    void SetUp() override {
        if (access(HITOPO_SCOTCH_PATH, R_OK) != 0) {
            GTEST_SKIP() << HITOPO_SCOTCH_PATH << " is not installed";
        }
    }
};

// What crosses the innermost level, counted pair by pair.
std::uint64_t bytes_between_nodes(const std::vector<Address>& addresses, const Graph& graph,
                                  const PerProcess& new_rank) {
    const std::vector<std::uint32_t> rank_with = inverse(new_rank);
    std::uint64_t bytes = 0;
    for (const Edge& edge : graph.edges) {
        const bool crosses =
            addresses[rank_with[edge.from]][kNode] != addresses[rank_with[edge.to]][kNode];
        bytes += crosses ? edge.bytes : 0;
    }
    return bytes;
}

// Evens talk with evens and odds with odds, and one pair across: two nodes of 4 processes can have it
// so.
TEST_F(ScotchMapping, puts_who_talks_on_one_node) {
    Graph graph;
    graph.num_vertices = 8;
    for (std::uint32_t a = 0; a < 8; ++a) {
        for (std::uint32_t b = a + 2; b < 8; b += 2) {
            graph.edges.push_back({a, b, 5});
        }
    }
    graph.edges.push_back({0, 1, 3});
    const std::vector<Address> addresses = regular(1, 1, 2, 1, 4);
    const auto mapping = scotch_mapping(graph, Places(addresses));
    ASSERT_TRUE(mapping);
    ASSERT_TRUE(is_permutation(*mapping));
    EXPECT_EQ(bytes_between_nodes(addresses, graph, *mapping), 3u);
}

TEST_F(ScotchMapping, is_a_permutation_and_the_same_each_time) {
    Random random(11);
    for (int i = 0; i < 50; ++i) {
        SCOPED_TRACE(i);
        const std::size_t num = 8 + random() % 50;
        const Places places(random_addresses(random, num));
        const Graph graph = graph_of(random_grid(random, static_cast<std::uint32_t>(num)));
        const auto mapping = scotch_mapping(graph, places);
        if (places.levels().empty()) {
            EXPECT_FALSE(mapping);
            continue;
        }
        ASSERT_TRUE(mapping);
        EXPECT_TRUE(is_permutation(*mapping));
        EXPECT_EQ(scotch_mapping(graph, places), mapping);
    }
}

}  // namespace
}  // namespace hitopo::topo
