// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Addresses and domains of thousands of random jobs against the oracle's. HITOPO_TEST_SEED=N begins
// with another job; a failure names the one to begin with.
#include "test/oracle/oracle.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "test/core/exchange/random_job.h"
#include "test/support/random_cases.h"

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

// Who can share memory: one operating system, one /dev/shm, one IPC namespace, whatever is simulated.
void expect_shared(const Table& table, const FakeJob& job, const std::vector<std::uint32_t>& members) {
    using Space = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;
    std::map<Space, std::uint64_t> id_of;
    std::set<std::uint64_t> ids;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const ProcessFacts& facts = job[members[i]].facts;
        const Space space = {facts.host_name, facts.boot_id, facts.shm_device, facts.ipc_namespace};
        ASSERT_EQ(id_of.emplace(space, table.shared_id(i)).first->second, table.shared_id(i));
        ids.insert(table.shared_id(i));
    }
    ASSERT_EQ(ids.size(), id_of.size());
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
        const Table part = world.restrict_to(members);
        expect_equal(part, oracle::expect(job, members));
        expect_shared(part, job, members);
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

TEST(Oracle, agrees_on_jobs_with_gaps_and_simulations) {
    compare_with_oracle(test_seed(), random_cases(2500), {});
}

TEST(Oracle, agrees_on_jobs_whose_processes_tell_the_same) {
    compare_with_oracle(test_seed(), random_cases(1000), {false, false, 0});
}

}  // namespace
}  // namespace hitopo
