// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What holds for the table of every job, on random ones. HITOPO_TEST_SEED=N begins with another.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "test/core/exchange/for_seeds.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

constexpr RandomTraits kPlain = {false, false, 0};

// Calls body(job, its random numbers) for many jobs, until one fails.
template <class Body>
void for_jobs(const RandomTraits& traits, Body body) {
    for_seeds(random_cases(300), [&](std::mt19937_64& random) {
        const FakeJob job = random_job(random, traits);
        body(job, random);
    });
}

void expect_equal(const Table& a, const Table& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t rank = 0; rank < a.size(); ++rank) {
        ASSERT_EQ(address_of(a, rank), address_of(b, rank)) << "rank " << rank;
    }
    const std::vector<std::string> a_uris = uris_of(a);  // ordered by all machines of the job
    const std::vector<std::string> b_uris = uris_of(b);
    ASSERT_EQ(std::set<std::string>(a_uris.begin(), a_uris.end()),
              std::set<std::string>(b_uris.begin(), b_uris.end()));
    for (const std::string& uri : uris_of(a)) {
        ASSERT_EQ(domains_at(a, uri), domains_at(b, uri)) << uri;
    }
}

FakeJob part_of(const FakeJob& job, const std::vector<std::uint32_t>& ranks) {
    FakeJob part;
    for (const std::uint32_t rank : ranks) {
        part.push_back(job[rank]);
    }
    return part;
}

// Each member of a domain of `inner` is in the same domain of `outer`, or all of them are in none.
void expect_nested(const Table& table, const char* inner_uri, const char* outer_uri) {
    const std::vector<int> inner = domains_at(table, inner_uri);
    const std::vector<int> outer = domains_at(table, outer_uri);
    std::map<int, int> outer_of;
    for (std::size_t rank = 0; rank < inner.size(); ++rank) {
        if (inner[rank] >= 0) {
            ASSERT_EQ(outer_of.emplace(inner[rank], outer[rank]).first->second, outer[rank])
                << inner_uri << " in " << outer_uri << ", rank " << rank;
        }
    }
}

TEST(Job, domains_are_numbered_densely_and_count_what_there_is) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        const Table table = table_of(job);
        for (const ResourceType& type : resource_types(table)) {
            const Domains domains = domains_of(table, type);
            ASSERT_EQ(domains.domain.size(), job.size());
            std::set<int> numbers(domains.domain.begin(), domains.domain.end());
            numbers.erase(-1);
            ASSERT_EQ(numbers.size(), static_cast<std::size_t>(domains.count)) << type.uri();
            ASSERT_TRUE(numbers.empty() ||
                        (*numbers.begin() == 0 && *numbers.rbegin() == domains.count - 1));
        }
    });
}

TEST(Job, levels_are_numbered_densely_and_0_where_nobody_knows) {
    for_jobs({true, true, 0, true}, [](const FakeJob& job, std::mt19937_64& random) {
        const Table table = table_of(job).restrict_to(random_members(random, job.size()));
        for (int i = 0; i < kNumLevels; ++i) {
            const Level level = static_cast<Level>(i);
            const std::vector<int> values = values_of(table, level);
            std::set<int> numbers(values.begin(), values.end());
            const bool has_unknown = numbers.erase(-1) == 1;
            ASSERT_EQ(*numbers.begin(), 0);
            ASSERT_EQ(*numbers.rbegin(), static_cast<int>(numbers.size()) - 1);
            const bool is_known = table.known(level) != Table::Known::kNone;
            ASSERT_EQ(table.num_distinct(level), is_known ? static_cast<int>(numbers.size()) : 0);
            ASSERT_EQ(has_unknown, table.known(level) == Table::Known::kSome);
        }
    });
}

TEST(Job, domains_nest) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        const Table table = table_of(job);
        expect_nested(table, "hitopo://Island", "hitopo://Cluster");
        expect_nested(table, "hitopo://Switch", "hitopo://Island");
        expect_nested(table, "hitopo://Switch", "hitopo://Cluster");
        expect_nested(table, "hitopo://Node", "hitopo://Switch");
        expect_nested(table, "hitopo://Node", "hitopo://Island");
        for (const char* uri :
             {"hitopo://L2NUMA", "hitopo://Socket", "hitopo://Core", "hitopo://HWThread"}) {
            expect_nested(table, uri, "hitopo://Node");
        }
        expect_nested(table, "hitopo://Core", "hitopo://Socket");
        expect_nested(table, "hitopo://HWThread", "hitopo://Core");
        expect_nested(table, "hitopo://HWThread", "hitopo://Socket");
    });
}

TEST(Job, an_address_with_a_known_core_is_unique) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        const Table table = table_of(job);
        std::set<Address> seen;
        for (std::size_t rank = 0; rank < table.size(); ++rank) {
            const Address address = table.address(rank);
            if (table.known(kCore) != Table::Known::kNone && address[kCore] >= 0) {
                ASSERT_TRUE(seen.insert(address).second) << to_string(address);
            }
        }
    });
}

TEST(Job, permuted_ranks_permute_the_table) {
    for_jobs(kPlain, [](const FakeJob& job, std::mt19937_64& random) {
        std::vector<std::uint32_t> ranks(job.size());
        std::iota(ranks.begin(), ranks.end(), 0u);
        std::shuffle(ranks.begin(), ranks.end(), random);
        const Table table = table_of(job);
        expect_equal(table_of(part_of(job, ranks)), table.restrict_to(ranks));
        for (const std::string& uri : uris_of(table)) {
            const std::vector<int> domains = domains_at(table, uri);
            const std::vector<int> permuted = domains_at(table.restrict_to(ranks), uri);
            for (std::size_t i = 0; i < ranks.size(); ++i) {
                ASSERT_EQ(permuted[i], domains[ranks[i]]) << uri;
            }
        }
    });
}

TEST(Job, members_alone_exchange_to_the_same_table_as_within_the_world) {
    for_jobs(kPlain, [](const FakeJob& job, std::mt19937_64& random) {
        const std::vector<std::uint32_t> members = random_members(random, job.size());
        expect_equal(table_of(part_of(job, members)), table_of(job).restrict_to(members));
    });
}

TEST(Job, a_table_of_a_part_changes_nothing_in_the_whole) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64& random) {
        const Table table = table_of(job);
        const std::vector<std::uint32_t> members = random_members(random, job.size());
        const Table before = table.restrict_to(members);
        (void)table.restrict_to(random_members(random, job.size()));
        expect_equal(table, table_of(job));
        expect_equal(table.restrict_to(members), before);
    });
}

TEST(Job, all_members_give_the_same_table_again) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        std::vector<std::uint32_t> ranks(job.size());
        std::iota(ranks.begin(), ranks.end(), 0u);
        const Table table = table_of(job);
        expect_equal(table.restrict_to(ranks), table);
    });
}

TEST(Job, a_part_of_a_part_is_a_part) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64& random) {
        const std::vector<std::uint32_t> outer = random_members(random, job.size());
        const std::vector<std::uint32_t> inner = random_members(random, outer.size());
        std::vector<std::uint32_t> direct;
        for (const std::uint32_t rank : inner) {
            direct.push_back(outer[rank]);
        }
        const Table table = table_of(job);
        expect_equal(table.restrict_to(outer).restrict_to(inner), table.restrict_to(direct));
    });
}

FakeJob without_side_resources(FakeJob job) {
    for (FakeProcess& process : job) {
        for (ComponentAnswer& answer : process.answers) {
            answer.side.clear();
        }
        for (auto& [component, machine] : process.machines) {
            machine.types.erase("gpu://Nearest");
            process.has(machine, component);
        }
    }
    return job;
}

TEST(Job, side_resources_change_no_address_and_no_hierarchy) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        const Table table = table_of(job);
        const Table plain = table_of(without_side_resources(job));
        for (const std::string& uri : uris_of(plain)) {
            ASSERT_EQ(domains_at(table, uri), domains_at(plain, uri)) << uri;
        }
        for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
            ASSERT_EQ(address_of(table, rank), address_of(plain, rank)) << "rank " << rank;
            ASSERT_EQ(table.shared_id(rank), plain.shared_id(rank)) << "rank " << rank;
            const Hierarchy own = make_hierarchy(table, rank);
            const Hierarchy without = make_hierarchy(plain, rank);
            ASSERT_EQ(own.depth, without.depth);
            ASSERT_EQ(own.steps.size(), without.steps.size());
            for (std::size_t i = 0; i < own.steps.size(); ++i) {
                ASSERT_EQ(own.steps[i].ranks, without.steps[i].ranks);
                ASSERT_EQ(own.steps[i].roots, without.steps[i].roots);
                ASSERT_EQ(own.steps[i].type, without.steps[i].type);
            }
        }
    });
}

// The network's numbers, told as raw values, are numbered as they are.
TEST(Job, numbers_of_a_table_are_numbered_as_they_are) {
    for_jobs({}, [](const FakeJob& job, std::mt19937_64&) {
        const Table table = table_of(job);
        FakeJob again;
        for (std::size_t rank = 0; rank < table.size(); ++rank) {
            const Address address = table.address(rank);
            const auto value = [&](Level level) {
                return Name::number(static_cast<std::uint64_t>(address[level]));
            };
            again.push_back(on_host("one").simulates_node(value(kNode)));
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                if (table.known(level) != Table::Known::kNone && address[level] >= 0) {
                    again.back().says("file", level, value(level));
                }
            }
        }
        const Table table_again = table_of(again);
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            ASSERT_EQ(values_of(table_again, level), values_of(table, level)) << level_name(level);
        }
        ASSERT_TRUE(table_again.dictionary().warnings().empty());
    });
}

}  // namespace
}  // namespace hitopo
