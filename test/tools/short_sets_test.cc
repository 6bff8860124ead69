// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// CPUs for which more is wanted than they are, against all sets of a few CPUs.
#include <gtest/gtest.h>

#include <random>

#include "ompi/tools/hitopo/check/check.h"
#include "test/support/random_cases.h"

namespace hitopo::tool {
namespace {

constexpr unsigned kNumCpus = 7;

CpuSet set_of(unsigned bits) { return CpuSet::from_words({bits}); }

bool is_short(const CpuSet& cpus, const std::vector<CpuWish>& wishes) {
    int num_wanted = 0;
    for (const CpuWish& wish : wishes) {
        num_wanted += wish.cpus->is_subset_of(cpus) ? wish.num_wanted : 0;
    }
    return num_wanted > cpus.count();
}

// P. Hall: all get what they want unless some set is short of it.
TEST(ShortSets, are_found_where_there_is_any) {
    std::mt19937 random;
    for (int i = 0; i < random_cases(1000); ++i) {
        std::vector<CpuSet> sets(random() % 6);
        std::vector<CpuWish> wishes;
        for (CpuSet& cpus : sets) {
            cpus = set_of(1 + random() % ((1u << kNumCpus) - 1));
            wishes.push_back({&cpus, static_cast<int>(1 + random() % 3)});
        }
        bool has_short = false;
        for (unsigned bits = 0; bits < 1u << kNumCpus; ++bits) {
            has_short |= is_short(set_of(bits), wishes);
        }
        const std::vector<CpuSet> found = short_sets(wishes);
        EXPECT_EQ(!found.empty(), has_short);
        for (const CpuSet& cpus : found) {
            EXPECT_TRUE(is_short(cpus, wishes)) << cpus.to_string();
        }
    }
}

}  // namespace
}  // namespace hitopo::tool
