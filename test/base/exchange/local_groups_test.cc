// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/local_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "test/core/record/random_job.h"

namespace hitopo {
namespace {

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

using Leaders = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // rank, members

Leaders in(const LeaderList& list) {
    Leaders leaders;
    for (std::uint32_t rank = 0; rank < list.num_members().size(); ++rank) {
        if (list.num_members()[rank] > 0) {
            leaders.emplace_back(rank, list.num_members()[rank]);
        }
    }
    return leaders;
}

LeaderList list_of(const Leaders& leaders, std::size_t num_processes) {
    LeaderList list(num_processes);
    for (const auto& [rank, num_members] : leaders) {
        list.add(rank, num_members);
    }
    return list;
}

TEST(LeaderList, comes_back_from_its_bytes) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 500; ++i) {
        Leaders leaders;
        const std::uint64_t density = 1 + random() % 20, sizes = 1 + random() % 3;
        for (std::uint32_t rank = 0; rank < 1000; ++rank) {
            if (random() % density == 0) {
                leaders.emplace_back(rank, 1 + random() % sizes);
            }
        }
        LeaderList sent = list_of(leaders, 1000), received(1000);
        const auto first = static_cast<std::uint32_t>(random() % 1000);
        ASSERT_TRUE(received.decode(first, sent.encode(first, 1000)));
        ASSERT_EQ(in(received), leaders);
    }
}

TEST(LeaderList, gives_those_among_some_processes) {
    LeaderList sent = list_of({{0, 2}, {2, 1}, {5, 1}}, 6), received(6);
    ASSERT_TRUE(received.decode(5, sent.encode(5, 3)));
    EXPECT_EQ(in(received), (Leaders{{0, 2}, {5, 1}}));
}

TEST(LeaderList, equal_groups_at_equal_distances_take_some_bytes_in_all) {
    Leaders by_slot;
    for (std::uint32_t node = 0; node < 20000; ++node) {
        by_slot.emplace_back(node * 50, 50);
    }
    EXPECT_LE(list_of(by_slot, 1000000).encode(0, 1000000).size(), 8U);
    EXPECT_LE(list_of(by_slot, 1000000).encode(777, 1000000).size(), 8U);
    EXPECT_EQ(list_of({}, 10).encode(0, 10).size(), 0U);
}

TEST(LeaderList, is_whole_where_groups_have_all_processes) {
    EXPECT_TRUE(list_of({{0, 2}, {2, 1}, {3, 3}}, 6).is_whole());
    EXPECT_FALSE(list_of({{0, 2}, {3, 3}}, 6).is_whole());
    EXPECT_FALSE(list_of({{0, 3}, {2, 1}, {3, 3}}, 6).is_whole()) << "rank 2 does not know of the first";
}

TEST(LeaderList, any_bytes_are_refused_or_give_leaders_of_the_job) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 20000; ++i) {
        std::string bytes(random() % 16, '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random() % 140); });
        LeaderList list(300);
        (void)list.decode(static_cast<std::uint32_t>(random() % 300), bytes);
        for (const auto& [rank, num_members] : in(list)) {
            ASSERT_LE(num_members, 300U) << rank;
        }
    }
}

}  // namespace
}  // namespace hitopo
