// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/local_groups.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

TEST(LocalGroups, the_lowest_of_each_leads) {
    const std::vector<std::size_t> group_of = {1, 0, 1, 2, 0};
    const LocalGroups groups =
        LocalGroups::of(4, 5, 3, [&](std::uint32_t rank) { return group_of[rank]; });
    EXPECT_EQ(groups.members, (Ranks{1, 4}));
    EXPECT_EQ(groups.leaders, (Ranks{0, 1, 3}));
}

// Each has its own item first, then those of the participants behind it.
TEST(DisseminationRounds, give_all_participants_all_items_once_in_log2_rounds) {
    for (std::size_t num_participants = 1; num_participants < 200; ++num_participants) {
        std::vector<DisseminationRounds> rounds;
        std::vector<std::vector<std::size_t>> known;
        for (std::size_t i = 0; i < num_participants; ++i) {
            rounds.emplace_back(i, num_participants);
            known.push_back({i});
        }
        std::size_t num_rounds = 0;
        for (; !rounds[0].is_over(); ++num_rounds) {
            const auto before = known;
            for (std::size_t i = 0; i < num_participants; ++i) {
                const std::size_t from = rounds[i].from();
                ASSERT_EQ(rounds[from].to(), i);
                ASSERT_LE(rounds[from].num_sent(), before[from].size());
                known[i].insert(known[i].end(), before[from].begin(),
                                before[from].begin() + static_cast<long>(rounds[from].num_sent()));
            }
            for (DisseminationRounds& one : rounds) {
                one.end_round();
            }
        }
        ASSERT_TRUE(num_participants == 1 || std::size_t{1} << (num_rounds - 1) < num_participants);
        for (std::size_t i = 0; i < num_participants; ++i) {
            ASSERT_EQ(known[i].size(), num_participants);
            for (std::size_t k = 0; k < num_participants; ++k) {
                ASSERT_EQ(known[i][k], (i + k) % num_participants);
            }
        }
    }
}

}  // namespace
}  // namespace hitopo
