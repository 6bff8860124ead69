// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/core/exchange/random_job.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

std::string coded(const Ranks& ranks, std::uint32_t near = 0) {
    ByteWriter writer;
    put_ranks(RankRuns(ranks), near, writer);
    return writer.take();
}

Ranks every(std::uint32_t first, std::uint32_t stride, std::size_t count) {
    Ranks ranks(count);
    for (std::size_t i = 0; i < count; ++i) {
        ranks[i] = first + static_cast<std::uint32_t>(i) * stride;
    }
    return ranks;
}

TEST(RankCoding, ranks_come_back) {
    constexpr std::uint32_t kLimit = 5000;
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 1000; ++i) {
        Ranks ranks;
        const std::uint64_t density = 1 + random() % 50;
        for (std::uint32_t rank = 0; rank < kLimit; ++rank) {
            if (random() % density == 0) {
                ranks.push_back(rank);
            }
        }
        const auto near = static_cast<std::uint32_t>(random() % kLimit);
        const std::string bytes = coded(ranks, near) + "x";
        ByteReader reader(bytes);
        ASSERT_EQ(get_ranks(near, kLimit, reader).to_vector(), ranks);
        ASSERT_EQ(reader.num_left(), 1U) << "and nothing else is read";
    }
}

// One number for the form, then first, count and stride.
TEST(RankCoding, a_run_takes_a_few_bytes_whatever_its_length) {
    EXPECT_EQ(coded({}).size(), 1U);
    EXPECT_EQ(coded({7}).size(), 2U) << "differences";
    EXPECT_EQ(coded(every(1000, 1, 50), 950).size(), 4U);
    EXPECT_EQ(coded(every(3, 100, 100000)).size(), 6U);
    EXPECT_EQ(coded(every(2000000000, 1, 2)).size(), 1U + 5 + 1) << "as differences";
}

TEST(RankCoding, without_a_rule_a_rank_takes_what_its_distance_takes) {
    std::mt19937_64 random(1);
    Ranks ranks;
    for (std::uint32_t rank = 0; ranks.size() < 10000;
         rank += 20 + static_cast<std::uint32_t>(random() % 20)) {
        ranks.push_back(rank);
    }
    EXPECT_LT(coded(ranks).size(), 10000U + 10);
}

TEST(RankCoding, the_largest_job_has_no_overflow) {
    const Ranks ranks = {0, 2147483646};
    const std::string bytes = coded(ranks, 2147483646);
    ByteReader reader(bytes);
    EXPECT_EQ(get_ranks(2147483646, 2147483647, reader).to_vector(), ranks);
}

TEST(RankCoding, ranks_beyond_the_limit_or_out_of_order_are_refused) {
    const std::string bytes = coded({3, 9});
    ByteReader too_few(bytes);
    EXPECT_TRUE(get_ranks(0, 9, too_few).empty());
    EXPECT_TRUE(too_few.has_failed());
    ByteWriter writer;
    writer.put_varint(2 << 1 | 1);
    writer.put_signed(5);
    writer.put_signed(-3);
    const std::string backwards = writer.take();
    ByteReader reader(backwards);
    EXPECT_TRUE(get_ranks(0, 100, reader).empty());
    EXPECT_TRUE(reader.has_failed());
}

TEST(RankCoding, any_bytes_give_ascending_ranks_below_the_limit) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 20000; ++i) {
        std::string bytes(random() % 12, '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random()); });
        ByteReader reader(bytes);
        const Ranks ranks = get_ranks(5, 300, reader).to_vector();
        ASSERT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
        ASSERT_TRUE(ranks.empty() || ranks.back() < 300);
        ASSERT_TRUE(std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end());
    }
}

// As of the first million ranks it would be a million numbers.
TEST(RankCoding, a_long_run_of_any_bytes_takes_no_memory) {
    ByteWriter writer;
    writer.put_varint(1 << 1);
    writer.put_signed(0);
    writer.put_varint(UINT32_MAX - 1U);
    writer.put_varint(1);
    const std::string bytes = writer.take();
    ByteReader reader(bytes);
    const CountedMemory before_it;
    EXPECT_EQ(get_ranks(0, UINT32_MAX, reader).size(), UINT32_MAX - 1U);
    EXPECT_LE(before_it.peak_bytes(), 4096U);
}

}  // namespace
}  // namespace hitopo
