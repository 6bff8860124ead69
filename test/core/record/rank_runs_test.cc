// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

RankRuns runs_of(const Ranks& ranks) {
    RankRuns runs;
    for (const std::uint32_t rank : ranks) {
        runs.add(rank);
    }
    return runs;
}

TEST(RankRuns, by_slot_and_by_node_are_one_run) {
    EXPECT_EQ(runs_of({100, 101, 102}).runs().size(), 1U);
    const RankRuns by_node = runs_of({7, 1007, 2007});
    EXPECT_EQ(by_node.runs().size(), 1U);
    EXPECT_EQ(by_node.runs()[0].stride, 1000U);
    EXPECT_TRUE(RankRuns().empty());
    EXPECT_EQ(RankRuns().runs().size(), 0U);
}

TEST(RankRuns, irregular_ranks_are_several_runs) {
    const Ranks ranks = {0, 5, 10, 11, 12, 20};
    RankRuns runs = runs_of(ranks);
    runs.add({30, 2, 2});
    EXPECT_EQ(runs.runs().size(), 4U);
    EXPECT_EQ(runs.size(), 8U);
    EXPECT_EQ(runs.front(), 0U);
    EXPECT_EQ(runs.back(), 32U);
    Ranks all;
    runs.for_each([&](std::uint32_t rank) { all.push_back(rank); });
    EXPECT_EQ(all, (Ranks{0, 5, 10, 11, 12, 20, 30, 32}));
}

}  // namespace
}  // namespace hitopo
