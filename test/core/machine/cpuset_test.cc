// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/cpuset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "test/support/cpu_numbers.h"

namespace hitopo {
namespace {

// Sets of very different density and extent, empty ones among them.
CpuNumbers random_members(std::mt19937& random) {
    const int extents[] = {1, 8, 64, 65, 200, 1024, CpuSet::kMaxCpus};
    const int extent = extents[random() % 7];
    CpuNumbers members;
    for (std::size_t n = random() % 40; n > 0; --n) {
        members.insert(static_cast<int>(random() % static_cast<unsigned>(extent)));
    }
    return members;
}

CpuSet parsed(std::string_view text) {
    const Result<CpuSet> set = CpuSet::parse(text);
    EXPECT_TRUE(set.is_ok()) << text;
    return set ? *set : CpuSet();
}

TEST(CpuSet, agrees_with_std_set_on_random_sets) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        const CpuNumbers a = random_members(random);
        const CpuNumbers b = random_members(random);
        const CpuSet x = set_of(a);
        const CpuSet y = set_of(b);
        CpuNumbers both = a;
        both.insert(b.begin(), b.end());
        CpuNumbers common;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                              std::inserter(common, common.end()));
        CpuSet united = x;
        united |= y;
        CpuSet cut = x;
        cut &= y;

        EXPECT_EQ(numbers_of(x), a);
        EXPECT_EQ(numbers_of(united), both);
        EXPECT_EQ(numbers_of(cut), common);
        EXPECT_EQ(cut, set_of(common));
        EXPECT_EQ(x.is_subset_of(y), std::includes(b.begin(), b.end(), a.begin(), a.end()));
        EXPECT_TRUE(cut.is_subset_of(x) && x.is_subset_of(united));
        EXPECT_EQ(x.count(), static_cast<int>(a.size()));
        EXPECT_EQ(x.is_empty(), a.empty());
        EXPECT_EQ(x.first(), a.empty() ? -1 : *a.begin());
        EXPECT_EQ(x.last(), a.empty() ? -1 : *a.rbegin());
        EXPECT_EQ(x == y, a == b);
        EXPECT_EQ(x != y, a != b);
        EXPECT_EQ(x < y, std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()));
        EXPECT_EQ(CpuSet::from_words(x.words()), x);
        EXPECT_EQ(parsed(x.to_string()), x);
    }
}

TEST(CpuSet, range_has_both_ends_and_is_cut_to_the_limits) {
    for (const int first : {0, 1, 63, 64, 65, 127, 1000}) {
        for (const int length : {1, 2, 63, 64, 65, 129}) {
            const CpuSet set = CpuSet::range(first, first + length - 1);
            EXPECT_EQ(set.first(), first);
            EXPECT_EQ(set.last(), first + length - 1);
            EXPECT_EQ(set.count(), length);
        }
    }
    EXPECT_TRUE(CpuSet::range(4, 3).is_empty());
    EXPECT_EQ(CpuSet::range(-5, 1), CpuSet::range(0, 1));
    EXPECT_EQ(CpuSet::range(0, 1 << 30).count(), CpuSet::kMaxCpus);
}

TEST(CpuSet, ignores_cpus_out_of_range) {
    CpuSet set;
    set.add(-1);
    set.add(CpuSet::kMaxCpus);
    EXPECT_TRUE(set.is_empty());
    EXPECT_FALSE(set.contains(-1));
    EXPECT_FALSE(set.contains(CpuSet::kMaxCpus));
    EXPECT_EQ(CpuSet::range(0, 7).next(-100), 0);
    EXPECT_EQ(CpuSet::range(0, 7).next(1 << 30), -1);
}

TEST(CpuSet, from_words_drops_what_makes_sets_irregular) {
    EXPECT_EQ(CpuSet::from_words({1, 0, 0}), CpuSet::range(0, 0));
    EXPECT_TRUE(CpuSet::from_words({0, 0}).is_empty());
    EXPECT_EQ(CpuSet::from_words(std::vector<std::uint64_t>(2000, ~std::uint64_t{0})).count(),
              CpuSet::kMaxCpus);
}

TEST(CpuSet, parse_reads_lists) {
    EXPECT_EQ(numbers_of(parsed("0-3,8,10-14:2")), (CpuNumbers{0, 1, 2, 3, 8, 10, 12, 14}));
    EXPECT_EQ(numbers_of(parsed("10-15:2")), (CpuNumbers{10, 12, 14}));
    EXPECT_EQ(numbers_of(parsed(" 7 , 3 ")), (CpuNumbers{3, 7}));
    EXPECT_EQ(numbers_of(parsed("")), CpuNumbers{});
    EXPECT_EQ(numbers_of(parsed(" \t")), CpuNumbers{});
    EXPECT_EQ(numbers_of(parsed("65535")), CpuNumbers{65535});
}

TEST(CpuSet, to_string_is_the_shortest_linux_list) {
    EXPECT_EQ(parsed("3,1,2,0,8,10,11").to_string(), "0-3,8,10-11");
    EXPECT_EQ(CpuSet().to_string(), "");
    EXPECT_EQ(parsed("63,64").to_string(), "63-64");
}

struct BadText {
    const char* text;
    const char* value;
    int column;
    Errc code;
};

TEST(CpuSet, parse_points_at_the_offending_piece) {
    const BadText bad[] = {
        {"0-3,x", "x", 5, Errc::kMalformed},
        {"0,,2", "", 3, Errc::kMalformed},
        {"1,", "", 3, Errc::kMalformed},
        {" 5-2", "5-2", 2, Errc::kMalformed},
        {"1-", "1-", 1, Errc::kMalformed},
        {"-1", "-1", 1, Errc::kMalformed},
        {"0-9:0", "0-9:0", 1, Errc::kMalformed},
        {"4:2", "4:2", 1, Errc::kMalformed},
        {"0-9:2:2", "0-9:2:2", 1, Errc::kMalformed},
        {"1 2", "1 2", 1, Errc::kMalformed},
        {"0xff", "0xff", 1, Errc::kMalformed},
        {"+1", "+1", 1, Errc::kMalformed},
        {"0,65536", "65536", 3, Errc::kTooLarge},
        {"0-99999999999999999999", "0-99999999999999999999", 1, Errc::kTooLarge},
    };
    for (const BadText& expected : bad) {
        const Result<CpuSet> set = CpuSet::parse(expected.text);
        ASSERT_FALSE(set.is_ok()) << expected.text;
        EXPECT_EQ(set.error().value, expected.value);
        EXPECT_EQ(set.error().column, expected.column) << expected.text;
        EXPECT_EQ(set.error().code, expected.code) << expected.text;
        EXPECT_NE(set.error().message.find("write"), std::string::npos) << "the remedy is missing";
    }
}

std::string coded(const CpuSet& set) {
    ByteWriter writer;
    put_cpus(set, writer);
    return writer.take();
}

CpuSet decoded(const std::string& bytes) {
    ByteReader reader(bytes);
    const CpuSet set = get_cpus(reader);
    EXPECT_FALSE(reader.has_failed());
    EXPECT_EQ(reader.num_left(), 0U);
    return set;
}

TEST(CpuRuns, what_bindings_look_like_takes_a_few_bytes) {
    for (const char* text : {"", "5", "0-3", "3,67", "0-62:2", "0-3,64-67", "0-7,16-23,32-39,48-55",
                             "0-6:2,32-38:2", "0-65535", "65535"}) {
        EXPECT_EQ(decoded(coded(parsed(text))), parsed(text)) << text;
        EXPECT_LE(coded(parsed(text)).size(), 17U) << text;
    }
}

TEST(CpuRuns, come_back_equal_and_never_depend_on_how_a_set_was_built) {
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        const CpuNumbers members = random_members(random);
        const CpuSet set = set_of(members);
        CpuSet reversed;
        std::for_each(members.rbegin(), members.rend(), [&](int cpu) { reversed.add(cpu); });
        EXPECT_EQ(coded(set), coded(reversed));
        EXPECT_EQ(decoded(coded(set)), set);
        CpuSet all;
        for (const CpuRun& run : runs_of(set)) {
            EXPECT_TRUE(run.count > 1 || run.stride == 1);
            add_run(all, run);
        }
        EXPECT_EQ(all, set);
    }
}

TEST(CpuRuns, of_any_numbers_stay_in_range) {
    CpuSet set;
    add_run(set, {65535, 65535, 65535});
    add_run(set, {3, 9, 0});
    EXPECT_EQ(set.to_string(), "3,65535");
}

}  // namespace
}  // namespace hitopo
