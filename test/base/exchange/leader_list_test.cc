// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/leader_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ompi/mca/hitopo/base/exchange/roll_call.h"
#include "test/core/record/random_job.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Leaders = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // rank, members

Leaders in(const LeaderList& list) {
    Leaders leaders;
    for (const LeaderList::Leader& leader : list.leaders()) {
        leaders.emplace_back(leader.rank, leader.num_members);
    }
    return leaders;
}

LeaderList list_of(const Leaders& leaders, std::size_t num_processes) {
    LeaderList list(num_processes);
    for (const auto& [rank, num_members] : leaders) {
        list.add({rank, num_members});
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
        ASSERT_TRUE(received.merge(sent.encode()));
        ASSERT_EQ(in(received), leaders);
    }
}

TEST(LeaderList, equal_groups_at_equal_distances_take_some_bytes_in_all) {
    Leaders by_slot;
    for (std::uint32_t node = 0; node < 20000; ++node) {
        by_slot.emplace_back(node * 50, 50);
    }
    EXPECT_LE(list_of(by_slot, 1000000).encode().size(), 6U);
    EXPECT_EQ(list_of({}, 10).encode().size(), 0U);
}

TEST(LeaderList, merges_what_overlaps) {
    LeaderList list = list_of({{0, 2}, {2, 1}}, 6), other = list_of({{2, 1}, {3, 3}}, 6);
    ASSERT_TRUE(list.merge(other.encode()));
    EXPECT_EQ(in(list), (Leaders{{0, 2}, {2, 1}, {3, 3}}));
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
        LeaderList list = list_of({{7, 3}}, 300);
        const bool is_well = list.merge(bytes);
        ASSERT_TRUE(is_well || in(list) == (Leaders{{7, 3}}));
        for (const LeaderList::Leader& leader : list.leaders()) {
            ASSERT_LT(leader.rank, 300U);
            ASSERT_TRUE(leader.num_members > 0 && leader.num_members <= 300);
        }
        ASSERT_TRUE(std::is_sorted(list.leaders().begin(), list.leaders().end(),
                                   [](const auto& a, const auto& b) { return a.rank <= b.rank; }));
    }
}

// As presence_check.cc passes it on: after the last round everybody has all.
TEST(LeaderList, all_know_all_leaders_after_the_roll_call) {
    std::mt19937_64 random(test_seed());
    for (int size = 1; size < 70; ++size) {
        std::vector<LeaderList> lists;
        std::vector<RollCall> calls;
        Leaders all;
        for (int rank = 0; rank < size; ++rank) {
            lists.emplace_back(static_cast<std::size_t>(size));
            calls.emplace_back(rank, size);
            if (random() % 3 == 0) {
                lists.back().add({static_cast<std::uint32_t>(rank), 1});
                all.emplace_back(rank, 1);
            }
        }
        while (!calls[0].is_over()) {
            std::vector<std::string> sent;
            for (LeaderList& list : lists) {
                sent.emplace_back(list.encode());
            }
            for (std::size_t rank = 0; rank < lists.size(); ++rank) {
                ASSERT_TRUE(lists[rank].merge(sent[static_cast<std::size_t>(calls[rank].from())]));
                calls[rank].end_round();
            }
        }
        for (const LeaderList& list : lists) {
            ASSERT_EQ(in(list), all);
        }
    }
}

// The worst list: no two groups alike.
TEST(LeaderList, takes_no_memory_once_it_stands) {
    constexpr std::size_t kSize = 3000;
    LeaderList list(kSize), other(kSize);
    for (std::uint32_t rank = 0; rank < kSize; ++rank) {
        (rank % 2 == 0 ? list : other).add({rank, 1 + rank % 7 * 400});
    }
    const CountedMemory counted;
    EXPECT_TRUE(list.merge(other.encode()));
    EXPECT_LE(list.encode().size(), list.max_bytes());
    EXPECT_EQ(counted.peak_bytes(), 0U);
    EXPECT_EQ(list.leaders().size(), kSize);
}

}  // namespace
}  // namespace hitopo
