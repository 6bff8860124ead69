// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/rank_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Places = std::vector<RankMap::Place>;
using Random = std::mt19937;

std::uint32_t any(Random& random, std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
}

// The seats of each node's ranks, in their order.
using Nodes = std::vector<std::vector<std::uint32_t>>;

Nodes alike(std::uint32_t num_nodes, std::uint32_t num_seats) {
    std::vector<std::uint32_t> seats(num_seats);
    std::iota(seats.begin(), seats.end(), 0u);
    return Nodes(num_nodes, seats);
}

Places by_slot(const Nodes& nodes) {
    Places places;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        for (const std::uint32_t seat : nodes[node]) {
            places.push_back({node, seat});
        }
    }
    return places;
}

// `length` ranks on each node in its turn, until all are full.
Places by_node(const Nodes& nodes, std::size_t length) {
    Places places;
    std::vector<std::size_t> taken(nodes.size(), 0);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            for (std::size_t i = 0; i < length && taken[node] < nodes[node].size(); ++i) {
                places.push_back({node, nodes[node][taken[node]++]});
                goes_on = true;
            }
        }
    }
    return places;
}

Places shuffled(Places places, Random& random) {
    std::shuffle(places.begin(), places.end(), random);
    return places;
}

// The same node by node. num_nodes: 0 for those that occur.
struct ByNode {
    explicit ByNode(const Places& places, std::size_t num_nodes = 0) : num_ranks(places.size()) {
        for (const RankMap::Place& place : places) {
            num_nodes = std::max(num_nodes, std::size_t{place.node} + 1);
        }
        ranks.resize(num_nodes);
        Nodes seats_of(num_nodes);
        for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
            ranks[places[rank].node].add(rank);
            seats_of[places[rank].node].push_back(places[rank].seat);
        }
        for (std::size_t node = 0; node < num_nodes; ++node) {
            occupied.push_back({&ranks[node], seats.number_of(seats_of[node])});
        }
    }

    RankMap map() const { return RankMap(occupied, seats, num_ranks); }

    std::vector<RankRuns> ranks;
    Sequences seats;
    std::vector<RankMap::Occupied> occupied;
    std::size_t num_ranks;
};

void expect_kept(const Places& places) {
    const RankMap map = ByNode(places).map();
    ASSERT_EQ(map.size(), places.size());
    for (std::size_t rank = 0; rank < places.size(); ++rank) {
        ASSERT_EQ(map.place(rank).node, places[rank].node) << rank << " of " << places.size();
        ASSERT_EQ(map.place(rank).seat, places[rank].seat) << rank << " of " << places.size();
    }
    std::vector<bool> is_visited(places.size(), false);
    map.for_each([&](std::size_t rank, RankMap::Place place) {
        ASSERT_LT(rank, places.size());
        EXPECT_FALSE(is_visited[rank]);
        is_visited[rank] = true;
        EXPECT_TRUE(place.node == places[rank].node && place.seat == places[rank].seat) << rank;
    });
    EXPECT_EQ(std::count(is_visited.begin(), is_visited.end(), true),
              static_cast<std::ptrdiff_t>(places.size()));
}

// Lowest and highest rank and number of ranks of each node, and what is on every third of them below a
// limit.
void expect_found_by_node(const Places& places, std::uint32_t num_nodes, Random& random) {
    const RankMap map = ByNode(places, num_nodes).map();
    std::vector<std::vector<std::uint32_t>> ranks(num_nodes);
    for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
        ranks[places[rank].node].push_back(rank);
    }
    const std::vector<RankMap::Extent> extents = map.extents(num_nodes);
    for (std::uint32_t node = 0; node < num_nodes; ++node) {
        ASSERT_EQ(extents[node].count, ranks[node].size());
        ASSERT_EQ(extents[node].lowest, ranks[node].empty() ? UINT32_MAX : ranks[node].front());
        ASSERT_EQ(extents[node].highest, ranks[node].empty() ? 0 : ranks[node].back());
    }
    const std::size_t end = any(random, 0, static_cast<std::uint32_t>(places.size()) + 1);
    const std::uint32_t part = any(random, 0, 2);
    std::vector<std::uint32_t> expected, found;
    for (std::uint32_t rank = 0; rank < std::min(end, places.size()); ++rank) {
        if (places[rank].node % 3 == part) {
            expected.push_back(rank);
        }
    }
    map.for_each_on([=](std::uint32_t node) { return node % 3 == part; }, end,
                    [&](std::size_t rank, RankMap::Place place) {
                        found.push_back(static_cast<std::uint32_t>(rank));
                        EXPECT_TRUE(place.node == places[rank].node && place.seat == places[rank].seat);
                    });
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected) << "below " << end << " of " << places.size();
}

std::size_t bytes_of(const Places& places) {
    const ByNode nodes(places);
    const CountedMemory before_it;
    const auto map = std::make_unique<RankMap>(nodes.map());
    EXPECT_LE(before_it.peak_bytes(), 4 * places.size() + 64 * nodes.occupied.size() + 4096);
    return map->num_bytes();
}

TEST(RankMap, keeps_what_it_is_given) {
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        Nodes nodes = alike(any(random, 1, 12), any(random, 1, 9));
        if (i % 2 == 0) {  // of any sizes and seats
            for (std::vector<std::uint32_t>& seats : nodes) {
                seats.resize(any(random, 1, 9));
                std::generate(seats.begin(), seats.end(), [&] { return any(random, 0, i % 3 * 5); });
            }
        }
        if (i % 5 == 0) {
            nodes.back().resize(1);
        }
        expect_kept(by_slot(nodes));
        expect_kept(by_node(nodes, 1));
        expect_kept(by_node(nodes, any(random, 2, 4)));
        expect_kept(shuffled(by_slot(nodes), random));
        // Numbers of nodes in another order than that of their first ranks.
        Places reversed = i % 3 == 0 ? by_node(nodes, 1) : by_slot(nodes);
        std::reverse(reversed.begin(), reversed.end());
        expect_kept(reversed);
    }
}

TEST(RankMap, finds_the_ranks_of_a_node) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        Nodes nodes = alike(any(random, 1, 12), any(random, 1, 9));
        for (std::size_t node = 0; i % 2 == 0 && node < nodes.size(); ++node) {
            nodes[node].resize(any(random, 1, 9));
        }
        const auto num_nodes = static_cast<std::uint32_t>(nodes.size());
        expect_found_by_node(by_slot(nodes), num_nodes, random);
        expect_found_by_node(by_node(nodes, 1), num_nodes, random);
        expect_found_by_node(by_node(nodes, 3), num_nodes, random);
        expect_found_by_node(shuffled(by_slot(nodes), random), num_nodes + 1, random);
    }
    EXPECT_TRUE(ByNode(Places()).map().extents(0).empty());
}

TEST(RankMap, of_nobody_takes_nothing) {
    EXPECT_EQ(ByNode(Places()).map().size(), 0u);
    EXPECT_EQ(ByNode(Places()).map().num_bytes(), 0u);
    expect_kept({{0, 0}});
    expect_kept({{0, UINT32_MAX}, {9, 0}, {7, 7}, {9, UINT32_MAX}});
}

// 20 000 nodes of 50 seats: their numbers take 15 bits and 6, which are three bytes.
TEST(RankMap, of_a_million_ranks_is_small) {
    Random random(2);
    const Nodes nodes = alike(20000, 50);
    EXPECT_EQ(bytes_of(by_slot(nodes)), 50 * 4u);
    EXPECT_EQ(bytes_of(by_node(nodes, 1)), 50 * 4u);
    EXPECT_LE(bytes_of(shuffled(by_slot(nodes), random)), 1000000 * 3 + 8u);
    // Each node's first rank, number and seats.
    Nodes unequal = nodes;
    for (std::size_t node = 0; node < unequal.size(); node += 2) {
        unequal[node].resize(49);
    }
    EXPECT_EQ(bytes_of(by_slot(unequal)), 20000 * (4 + 4) + (49 + 50) * 4u);
    Places backwards = by_slot(nodes);
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(bytes_of(backwards), 20000 * 4 + 50 * 4u);
    EXPECT_EQ(bytes_of(by_slot(alike(1000000, 1))), 4u);
}

}  // namespace
}  // namespace hitopo
