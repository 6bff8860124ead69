// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/rank_runs.h"

#include <gtest/gtest.h>

#include <random>

#include "test/core/record/random_job.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

TEST(RankRuns, by_slot_and_by_node_are_one_run) {
    RankRuns by_slot, by_node;
    by_slot.add({100, 1, 50});
    by_node.add({7, 1000, 50});
    EXPECT_EQ(by_slot.num_runs(), 1U);
    EXPECT_EQ(by_slot.back(), 149U);
    EXPECT_EQ(by_node.num_runs(), 1U);
    EXPECT_EQ(by_node[2], 2007U);
    EXPECT_TRUE(RankRuns().empty());
    EXPECT_EQ(RankRuns().num_runs(), 0U);
}

// However they came, the runs are those of the ranks one by one.
TEST(RankRuns, runs_depend_on_the_ranks_alone) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 5000; ++i) {
        RankRuns by_runs;
        Ranks ranks;
        std::uint32_t next = 0;
        for (std::uint64_t left = random() % 6; left > 0; --left) {
            const RankRun run = {next + static_cast<std::uint32_t>(random() % 3),
                                 1 + static_cast<std::uint32_t>(random() % 3),
                                 1 + static_cast<std::uint32_t>(random() % 4)};
            by_runs.add(run);
            for (std::uint32_t rank = run.first; rank <= run.last(); rank += run.stride) {
                ranks.push_back(rank);
            }
            next = run.last() + 1;
        }
        const RankRuns one_by_one(ranks);
        ASSERT_EQ(by_runs.to_vector(), ranks);
        ASSERT_EQ(by_runs.size(), ranks.size());
        ASSERT_EQ(one_by_one.to_vector(), ranks);
        ASSERT_EQ(by_runs.num_runs(), one_by_one.num_runs());
        for (std::size_t run = 0; run < by_runs.num_runs(); ++run) {
            ASSERT_EQ(by_runs.run(run).first, one_by_one.run(run).first);
            ASSERT_EQ(by_runs.run(run).count, one_by_one.run(run).count);
        }
        for (std::size_t index = 0; index < ranks.size(); ++index) {
            ASSERT_EQ(by_runs[index], ranks[index]);
        }
    }
}

}  // namespace
}  // namespace hitopo
