// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/local_groups.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

TEST(LocalGroups, of_one_each_leads_itself) {
    const LocalGroups groups = LocalGroups::of_one(2, 4);
    EXPECT_EQ(groups.members, Ranks{2});
    EXPECT_EQ(groups.leaders, (Ranks{0, 1, 2, 3}));
}

TEST(LocalGroups, the_lowest_of_each_leads) {
    const std::vector<std::size_t> group_of = {1, 0, 1, 2, 0};
    const LocalGroups groups =
        LocalGroups::of(4, 5, 3, [&](std::uint32_t rank) { return group_of[rank]; });
    EXPECT_EQ(groups.members, (Ranks{1, 4}));
    EXPECT_EQ(groups.leaders, (Ranks{0, 1, 3}));
}

// Each has its own group first, then those of the positions behind it.
TEST(LeaderRounds, give_everybody_all_groups_once_in_log2_rounds) {
    for (std::size_t num_leaders = 1; num_leaders < 200; ++num_leaders) {
        std::vector<LeaderRounds> leaders;
        std::vector<std::vector<std::size_t>> known;
        for (std::size_t i = 0; i < num_leaders; ++i) {
            leaders.emplace_back(i, num_leaders);
            known.push_back({i});
        }
        std::size_t num_rounds = 0;
        for (; !leaders[0].is_over(); ++num_rounds) {
            const auto before = known;
            for (std::size_t i = 0; i < num_leaders; ++i) {
                const std::size_t from = leaders[i].from();
                ASSERT_EQ(leaders[from].to(), i);
                ASSERT_LE(leaders[from].num_sent(), before[from].size());
                known[i].insert(known[i].end(), before[from].begin(),
                                before[from].begin() + static_cast<long>(leaders[from].num_sent()));
            }
            for (LeaderRounds& leader : leaders) {
                leader.end_round();
            }
        }
        ASSERT_TRUE(num_leaders == 1 || std::size_t{1} << (num_rounds - 1) < num_leaders);
        for (std::size_t i = 0; i < num_leaders; ++i) {
            ASSERT_EQ(known[i].size(), num_leaders);
            for (std::size_t k = 0; k < num_leaders; ++k) {
                ASSERT_EQ(known[i][k], (i + k) % num_leaders);
            }
        }
    }
}

}  // namespace
}  // namespace hitopo
