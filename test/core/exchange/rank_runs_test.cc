// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/rank_runs.h"

#include <gtest/gtest.h>

#include <random>

#include "ompi/mca/hitopo/core/exchange/occupancy.h"
#include "test/core/exchange/random_job.h"

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

TEST(Occupancy, has_each_rank_with_its_node_and_pattern) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 1000; ++i) {
        std::vector<Process> processes(random() % 40);
        for (Process& process : processes) {
            process = {static_cast<std::uint32_t>(random() % 9),
                       static_cast<std::uint32_t>(random() % 3)};
        }
        const Occupancy occupancy = Occupancy::of(processes);
        EXPECT_EQ(occupancy.num_processes, processes.size());
        std::vector<bool> is_there(processes.size(), false);
        for (std::size_t node = 0; node < occupancy.nodes.size(); ++node) {
            const Occupancy::Node& own = occupancy.nodes[node];
            ASSERT_TRUE(node == 0 || occupancy.nodes[node - 1].node < own.node);
            ASSERT_EQ(occupancy.patterns.length(own.patterns), own.ranks.size());
            const std::uint32_t* pattern = occupancy.patterns.begin(own.patterns);
            own.ranks.for_each([&](std::uint32_t rank) {
                EXPECT_EQ(processes[rank].node, own.node);
                EXPECT_EQ(processes[rank].pattern, *pattern++);
                is_there[rank] = true;
            });
        }
        ASSERT_EQ(std::count(is_there.begin(), is_there.end(), false), 0);
    }
}

// Nodes that are occupied alike are told apart by their ranks only.
TEST(Occupancy, has_each_sequence_once) {
    EXPECT_EQ(Occupancy::of({{0, 1}, {0, 2}, {5, 1}, {5, 2}, {7, 2}, {7, 1}}).patterns.size(), 2U);
}

}  // namespace
}  // namespace hitopo
