// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests candidates.cc, bisection.cc and cut.cc.
#include "ompi/mca/topo/hitopo/core/candidates.h"

#include <gtest/gtest.h>

#include "ompi/mca/topo/hitopo/core/cut.h"
#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

TEST(Candidates, have_each_cell_once) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        const std::uint32_t num = 1 + static_cast<std::uint32_t>(random() % 100);
        const Grid grid = random_grid(random, num);
        const LevelGroups groups(random_addresses(random, num));
        EXPECT_TRUE(is_permutation(kd_cells(grid)));
        EXPECT_TRUE(is_permutation(strip_cells(grid, 1 + static_cast<std::uint32_t>(random() % num))));
        for (const auto& attempts :
             {bisected_cells(grid, groups), bisected_cells(graph_of(grid), groups)}) {
            EXPECT_EQ(attempts.size(), 8u);
            EXPECT_TRUE(std::all_of(attempts.begin(), attempts.end(), is_permutation));
        }
    }
}

// 4 x 2 halved along its longer side, then each half along its longer or first: by hand.
TEST(KdCells, halves_the_longest) {
    EXPECT_EQ(kd_cells({{4, 2}, {false, false}}), (PerProcess{0, 1, 2, 3, 4, 5, 6, 7}));
}
TEST(KdCells, halves_the_longest_whichever_it_is) {
    EXPECT_EQ(kd_cells({{2, 4}, {false, false}}), (PerProcess{0, 1, 4, 5, 2, 3, 6, 7}));
}

// Strips of 2 columns: row by row down the first one and up the second.
TEST(StripCells, go_there_and_back) {
    EXPECT_EQ(strip_cells({{4, 4}, {false, false}}, 4),
              (PerProcess{0, 1, 4, 5, 8, 9, 12, 13, 14, 15, 10, 11, 6, 7, 2, 3}));
}

// Nodes of 3 and 5 on 4 x 2: no plane fits, and 3 pairs at least cross, each both ways.
TEST(BisectedCells, cut_where_no_plane_is) {
    std::vector<Address> addresses = regular(1, 1, 1, 1, 8);
    for (std::size_t i = 3; i < 8; ++i) {
        addresses[i][kNode] = 1;
    }
    const Grid grid = {{4, 2}, {false, false}};
    const LevelGroups groups(addresses);
    EXPECT_EQ(crossings_of(grid, bisected_cells(grid, groups).front(), groups), Crossings{6});
}

// Each process finds its order by itself: chance must not be its own.
TEST(BisectedCells, are_the_same_each_time) {
    Random random(13);
    const LevelGroups groups(random_addresses(random, 60));
    const Grid grid = random_grid(random, 60);
    EXPECT_EQ(bisected_cells(grid, groups), bisected_cells(grid, groups));
}

TEST(BisectedCells, are_tried_less_often_the_more_there_are) {
    const auto num_attempts = [](const Grid& grid) {
        return bisected_cells(grid, LevelGroups(std::vector<Address>(grid.num_cells()))).size();
    };
    EXPECT_EQ(num_attempts({{8}, {false}}), 8u);
    EXPECT_EQ(num_attempts({{1 << 14}, {false}}), 2u);
    EXPECT_EQ(num_attempts({{1 << 14, 2}, {false, false}}), 1u);
    EXPECT_EQ(num_attempts({{(1 << 15) + 1}, {false}}), 0u);
}

TEST(Cutter, finds_the_bridge_between_two_cliques) {
    const Neighbours neighbours(two_cliques());
    Cutter cutter(neighbours);
    Cells cells = identity(8);
    EXPECT_EQ(cutter.improve(cells, 4), 3u);
}

TEST(GraphOf, has_the_pairs_that_shifts_tell) {
    Random random(9);
    for (int i = 0; i < 100; ++i) {
        const Grid grid = random_grid(random, 1 + static_cast<std::uint32_t>(random() % 60));
        auto pairs = neighbour_pairs(grid);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const Edge& edge : graph_of(grid).edges) {
            EXPECT_EQ(edge.bytes, 1u);
            edges.emplace_back(edge.from, edge.to);
        }
        std::sort(pairs.begin(), pairs.end());
        std::sort(edges.begin(), edges.end());
        EXPECT_EQ(edges, pairs);
    }
}

}  // namespace
}  // namespace hitopo::topo
