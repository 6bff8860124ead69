// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "profiler/traffic/counters.h"

namespace hitopo {
namespace {

OrderCount grid_order() {
    return {"MPI_Cart_create", 32, 1, "bisection", false, false, {"switch", "node"}, {24, 56}, {24, 40}};
}

TEST(Orders, equal_ones_are_one_kind) {
    Orders orders;
    orders.add(grid_order());
    orders.add(grid_order());
    orders.add(grid_order());
    ASSERT_EQ(orders.kinds().size(), 1U);
    EXPECT_EQ(orders.kinds()[0].count, 3U);
    EXPECT_EQ(orders.kinds()[0].before, (std::vector<std::uint64_t>{24, 56}));
    EXPECT_EQ(orders.num_others(), 0U);
}

TEST(Orders, whatever_differs_makes_another_kind) {
    std::vector<OrderCount> others(8, grid_order());
    others[0].call = "MPI_Graph_create";
    others[1].size = 31;
    others[2].candidate = "k-d tree";
    others[3].is_weighted = true;
    others[4].is_applied = true;
    others[5].levels[0] = "island";
    others[6].before[1] = 57;
    others[7].after[1] = 41;
    Orders orders;
    orders.add(grid_order());
    for (const OrderCount& other : others) {
        orders.add(other);
    }
    ASSERT_EQ(orders.kinds().size(), 9U);
    for (const OrderCount& kind : orders.kinds()) {
        EXPECT_EQ(kind.count, 1U);
    }
}

TEST(Orders, beyond_64_kinds_only_their_number) {
    Orders orders;
    OrderCount order = grid_order();
    for (order.size = 1; order.size <= 70; ++order.size) {
        orders.add(order);
    }
    order.size = 1;
    orders.add(order);
    ASSERT_EQ(orders.kinds().size(), 64U);
    EXPECT_EQ(orders.kinds()[0].count, 2U);
    EXPECT_EQ(orders.kinds()[63].size, 64);
    EXPECT_EQ(orders.num_others(), 6U);
}

}  // namespace
}  // namespace hitopo
