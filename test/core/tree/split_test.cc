// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/split.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Ints = std::vector<std::int32_t>;

TEST(Split, by_number_leaves_out_groups_without_a_process) {
    const Split split = split_by_number({-1, 3, 1, 3});
    EXPECT_EQ(split.group, (Ints{-1, 0, 1, 0})) << "by their lowest ranks";
    EXPECT_EQ(split.count, 2U);
    EXPECT_EQ(split_by_number({}).count, 0U);
    EXPECT_EQ(split_by_number({-1, -1}).count, 0U);
}

TEST(Split, by_color_leaves_out_color_0) {
    const Split split = split_by_color({0, 1LL << 40, -7, 1LL << 40, 0});
    EXPECT_EQ(split.group, (Ints{-1, 0, 1, 0, -1}));
    EXPECT_EQ(split.count, 2U);
}

TEST(Split, a_process_knows_its_group) {
    const Split split = split_by_number({-1, 3, 1, 3});
    const OwnGroup own = split.own(3);
    EXPECT_EQ(own.ranks, (Ranks{1, 3}));
    EXPECT_EQ(own.number, 0);
    EXPECT_EQ(own.count, 2U);
    EXPECT_EQ(split.own(0).number, Split::kNone);
    EXPECT_EQ(split.own(0).ranks, Ranks());
}

}  // namespace
}  // namespace hitopo
