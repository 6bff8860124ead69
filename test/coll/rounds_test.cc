// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/rounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ompi/mca/coll/hitopo/core/tree.h"

namespace hitopo::coll {
namespace {

// The sum of each of num processes, as a list of processes in the order in which they were merged.
std::vector<std::vector<int>> sums_of(const Rounds& rounds, int num, int& num_rounds) {
    std::vector<std::vector<int>> sums;
    for (int own = 0; own < num; ++own) {
        sums.push_back({own});
    }
    Round round, other;
    for (num_rounds = 0; rounds.find(0, num_rounds, round); ++num_rounds) {
        const std::vector<std::vector<int>> before = sums;
        for (int own = 0; own < num; ++own) {
            EXPECT_TRUE(rounds.find(own, num_rounds, round));
            EXPECT_TRUE(std::is_sorted(round.peers.begin(), round.peers.end()));
            std::vector<int> sum;
            for (int i = 0; i <= static_cast<int>(round.peers.size()); ++i) {
                const auto add = [&](int process) {
                    const std::vector<int>& part = before[static_cast<std::size_t>(process)];
                    sum.insert(sum.end(), part.begin(), part.end());
                };
                if (i == round.own || (!round.receives && i == 0)) {
                    add(own);
                }
                if (round.receives && i < static_cast<int>(round.peers.size())) {
                    add(round.peers[static_cast<std::size_t>(i)]);
                }
            }
            for (const int peer : round.peers) {  // each message is sent and received
                EXPECT_TRUE(rounds.find(peer, num_rounds, other));
                EXPECT_NE(std::find(other.peers.begin(), other.peers.end(), own), other.peers.end());
                EXPECT_EQ(round.sends, other.receives);
            }
            sums[static_cast<std::size_t>(own)] = sum;
        }
    }
    return sums;
}

TEST(Rounds, all_have_each_contribution_once_and_merged_alike) {
    for (int num = 2; num < 100; ++num) {
        for (const int radix : {2, 3, 4, 8}) {
            int num_rounds = 0;
            const std::vector<std::vector<int>> sums = sums_of(Rounds(num, radix), num, num_rounds);
            std::vector<int> all = sums[0];
            ASSERT_EQ(std::count(sums.begin(), sums.end(), sums[0]), num) << num << ", radix " << radix;
            std::sort(all.begin(), all.end());
            ASSERT_EQ(all.size(), static_cast<std::size_t>(num));
            ASSERT_TRUE(std::adjacent_find(all.begin(), all.end()) == all.end());
        }
    }
}

TEST(Rounds, are_few) {
    const auto num_rounds = [](int num, int radix) {
        int rounds = 0;
        (void)sums_of(Rounds(num, radix), num, rounds);
        return rounds;
    };
    EXPECT_EQ(num_rounds(2, 2), 1);
    EXPECT_EQ(num_rounds(8, 2), 3);
    EXPECT_EQ(num_rounds(8, 8), 1);
    EXPECT_EQ(num_rounds(8, 4), 2);
    EXPECT_EQ(num_rounds(3, 2), 3);   // one before, one, one behind
    EXPECT_EQ(num_rounds(96, 4), 4);  // 4 * 4 * 3 * 2
    EXPECT_EQ(num_rounds(17, 4), 4);  // 4 * 4, and two for the last one
}

}  // namespace
}  // namespace hitopo::coll
