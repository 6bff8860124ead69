// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Addresses and domains of thousands of random jobs against the oracle's. HITOPO_TEST_SEED=N begins
// with another job; a failure names the one to begin with.
#include "test/core/oracle.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "ompi/mca/hitopo/core/domain.h"
#include "test/core/random_job.h"

namespace hitopo {
namespace {

std::vector<std::uint32_t> all_ranks(std::size_t size) {
    std::vector<std::uint32_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0u);
    return ranks;
}

void expect_equal(const Table& table, const oracle::Expected& expected) {
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        ASSERT_EQ(address_of(table, rank), to_string(expected.addresses[rank])) << "rank " << rank;
    }
    std::set<std::string> uris;
    for (const ResourceType& type : resource_types(table)) {
        ASSERT_TRUE(uris.insert(type.uri()).second) << type.uri();
        ASSERT_EQ(expected.domains.count(type.uri()), 1U) << type.uri();
        ASSERT_EQ(domains_of(table, type).domain, expected.domains.at(type.uri())) << type.uri();
    }
    ASSERT_EQ(uris.size(), expected.domains.size());
}

void compare_with_oracle(std::uint64_t first_seed, int num_jobs, const RandomTraits& traits) {
    for (int i = 0; i < num_jobs; ++i) {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        std::mt19937_64 random(seed);
        const FakeJob job = random_job(random, traits);
        const Table world = table_of(job);
        expect_equal(world, oracle::expect(job, all_ranks(job.size())));
        const std::vector<std::uint32_t> members = random_members(random, job.size());
        expect_equal(world.restrict_to(members), oracle::expect(job, members));
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

TEST(Oracle, agrees_on_jobs_with_gaps_and_simulations) { compare_with_oracle(test_seed(), 2500, {}); }

TEST(Oracle, agrees_on_jobs_whose_processes_tell_the_same) {
    compare_with_oracle(test_seed(), 1000, {false, false, 0});
}

}  // namespace
}  // namespace hitopo
