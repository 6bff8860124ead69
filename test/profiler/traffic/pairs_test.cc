// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "profiler/traffic/traffic.h"

namespace hitopo {
namespace {

TEST(Pairs, add_up_by_rank) {
    Pairs pairs;
    pairs.add({7, 1, 8});
    pairs.add({2, 1, 100});
    pairs.add({7, 2, 5});
    pairs.add({7, 1, 0});
    ASSERT_EQ(pairs.counts().size(), 2U);
    const std::vector<PairCount> sorted = pairs.by_rank();
    EXPECT_EQ(sorted[0].rank, 2U);
    EXPECT_EQ(sorted[0].messages, 1U);
    EXPECT_EQ(sorted[0].bytes, 100U);
    EXPECT_EQ(sorted[1].rank, 7U);
    EXPECT_EQ(sorted[1].messages, 4U);
    EXPECT_EQ(sorted[1].bytes, 13U);
}

}  // namespace
}  // namespace hitopo
