// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "test/core/exchange/fake_job.h"
#include "test/core/exchange/random_job.h"

namespace hitopo {
namespace {

using Ints = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;

// The racks of the standard's Figure 7.3 are nodes here. CPU #i of the figure is a Package.
FakeMachine rack(const std::set<CpuNumbers>& numa_nodes, const std::set<CpuNumbers>& packages) {
    FakeMachine machine;
    for (const CpuNumbers& package : packages) {
        for (const int cpu : package) {
            machine.types["Core"].insert({cpu});
            machine.types["PU"].insert({cpu});
        }
    }
    CpuNumbers all;
    for (const CpuNumbers& package : packages) {
        all.insert(package.begin(), package.end());
    }
    machine.types["Machine"] = {all};
    machine.types["NUMANode"] = numa_nodes;
    machine.types["Package"] = packages;
    return machine;
}

FakeJob figure() {
    const FakeMachine rack_0 = rack({{0, 1, 2, 3}, {4, 5, 6, 7}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    const FakeMachine rack_1 = rack({{0, 1, 2, 3}}, {{0, 1}, {2, 3}});
    FakeJob job;
    for (const char* cpus : {"0", "1", "2", "3", "4", "5", "6-7", "6-7"}) {
        job.push_back(on_host("rack0").has(rack_0).runs_on(cpus));
    }
    for (const char* cpus : {"0", "1", "2", "3"}) {
        job.push_back(on_host("rack1").has(rack_1).runs_on(cpus));
    }
    return job;
}

Ranks ranks_of(std::size_t count) {
    Ranks ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

// Each process's communicators from the outermost in, and their types.
struct Chain {
    std::vector<Ranks> ranks;
    Strings types;
    std::vector<Ranks> roots;
};
Chain chain_of(const Table& table, std::uint32_t rank) {
    Chain chain;
    for (const HierarchyStep& step : make_hierarchy(table, rank).steps) {
        chain.ranks.push_back(step.ranks);
        chain.types.push_back(step.type);
        chain.roots.push_back(step.roots);
    }
    return chain;
}

TEST(Split, the_standards_figure_7_3) {
    const Table table = table_of(figure());
    const Ranks rack_0 = {0, 1, 2, 3, 4, 5, 6, 7};
    const Ranks rack_1 = {8, 9, 10, 11};
    const Chain p0 = chain_of(table, 0);
    EXPECT_EQ(p0.ranks, (std::vector<Ranks>{rack_0, {0, 1, 2, 3}, {0, 1}, {0}}));
    EXPECT_EQ(p0.types,
              (Strings{"hwloc://Machine", "hwloc://NUMANode", "hwloc://Package", "hwloc://PU"}));
    EXPECT_EQ(p0.roots, (std::vector<Ranks>{{0, 8}, {0, 4}, {0, 2}, {0, 1}}));
    EXPECT_EQ(chain_of(table, 5).ranks, (std::vector<Ranks>{rack_0, {4, 5, 6, 7}, {4, 5}, {5}}));
    EXPECT_EQ(chain_of(table, 5).roots, (std::vector<Ranks>{{}, {}, {}, {4, 5}}));
    EXPECT_EQ(chain_of(table, 6).ranks, (std::vector<Ranks>{rack_0, {4, 5, 6, 7}, {6, 7}}))
        << "may use both cores of CPU 3";
    EXPECT_EQ(chain_of(table, 7).types,
              (Strings{"hwloc://Machine", "hwloc://NUMANode", "hwloc://Package"}));
    EXPECT_EQ(chain_of(table, 8).ranks, (std::vector<Ranks>{rack_1, {8, 9}, {8}}));
    EXPECT_EQ(chain_of(table, 8).types, (Strings{"hwloc://NUMANode", "hwloc://Package", "hwloc://PU"}))
        << "the deepest that is all of rack 1";
    EXPECT_EQ(make_hierarchy(table, 8).depth, 4U) << "of the whole job";
}

TEST(Split, of_two_domains_that_cross_the_larger_stands_whole) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3, 4, 5, 6, 7}};
    machine.types["Package"] = {{0, 1, 2, 3, 4}, {5, 6, 7}};
    machine.types["Die"] = {{3, 4, 5, 6}, {0, 1}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const Split split = split_unguided(table_of(job));
    EXPECT_EQ(split.group, (Ints{0, 0, 0, 0, 0, 1, 1, 1})) << "Die 3-6 crosses Package 0-4";
    EXPECT_EQ(split.types, (Strings{"hwloc://Package", "hwloc://Package"}));
}

TEST(Split, of_two_of_equal_size_the_outer_type_stands_then_the_lower_rank) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3}};
    machine.types["Package"] = {{1, 2}};
    machine.types["Die"] = {{0, 1}, {2, 3}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const Split split = split_unguided(table_of(job));
    EXPECT_EQ(split.group, (Ints{-1, 0, 0, -1})) << "no whole domain is left for 0 and 3";
}

TEST(Split, one_process_cannot_be_split) {
    EXPECT_EQ(split_unguided(table_of({on_host("n")})).group, (Ints{-1}));
    EXPECT_EQ(make_hierarchy(table_of({on_host("n")}), 0).depth, 0U);
}

TEST(Split, by_type_leaves_out_who_is_restricted_to_none) {
    const FakeMachine machine = make_machine({1, 1, 1, 2});
    const Table table = table_of({on_host("n").has(machine).runs_on("1"), on_host("n").runs_on("0-1"),
                                  on_host("n").runs_on("0"), on_host("n").runs_on("1")});
    const Split split = split_by_type(table, {"Core", false, kCluster});
    EXPECT_EQ(split.group, (Ints{0, -1, 1, 0})) << "groups are numbered by their lowest ranks";
    EXPECT_EQ(split.types, (Strings{"hwloc://Core", "hwloc://Core"}));
    EXPECT_EQ(split.members(0), (Ranks{0, 3}));
    EXPECT_EQ(fill_with_singles(split).group, (Ints{0, 1, 2, 0}));
    EXPECT_EQ(split_by_type(table, {"Switch", true, kSwitch}).count(), 0U) << "nobody knows it";
}

TEST(Split, shared_memory_is_not_the_address) {
    FakeJob job = {on_host("n"), on_host("n"), on_host("n"), on_host("m")};
    job[1].facts.shm_device = 7;
    job[3].simulates_node(Name("n"));
    EXPECT_EQ(split_by_shared_memory(table_of(job)).group, (Ints{0, 1, 0, 2}));
}

TEST(Split, without_empty_groups_numbers_by_lowest_rank) {
    const Split split = without_empty_groups({{-1, 3, 1, 3}, {"a", "b", "c", "d"}});
    EXPECT_EQ(split.group, (Ints{-1, 0, 1, 0}));
    EXPECT_EQ(split.types, (Strings{"d", "b"}));
}

// Whatever the job: the result is a partition of strict subsets, each a domain of its type, and no
// process without one had a whole domain left.
TEST(Split, unguided_is_a_partition_into_domains) {
    std::mt19937_64 random(test_seed());
    for (int number = 0; number < 300; ++number) {
        const Table table = table_of(random_job(random));
        const DomainCatalogue catalogue(table);
        const std::vector<DomainCatalogue::Group> groups = catalogue.split(ranks_of(table.size()));
        std::vector<bool> is_taken(table.size(), false);
        std::uint32_t last_first = 0;
        for (const DomainCatalogue::Group& group : groups) {
            ASSERT_LT(group.ranks.size(), table.size()) << "job " << number;
            ASSERT_TRUE(std::is_sorted(group.ranks.begin(), group.ranks.end()));
            ASSERT_GE(group.ranks[0], last_first) << "by their lowest ranks";
            last_first = group.ranks[0];
            const Domains domains = domains_of(table, catalogue.types()[group.type]);
            const std::int32_t domain = domains.domain[group.ranks[0]];
            ASSERT_GE(domain, 0);
            Ranks members;
            for (std::uint32_t rank = 0; rank < table.size(); ++rank) {
                if (domains.domain[rank] == domain) {
                    members.push_back(rank);
                    ASSERT_FALSE(is_taken[rank]) << "job " << number;
                    is_taken[rank] = true;
                }
            }
            ASSERT_EQ(members, group.ranks) << "job " << number;
        }
        for (const ResourceType& type : catalogue.types()) {
            const Domains domains = domains_of(table, type);
            for (std::int32_t domain = 0; domain < domains.count; ++domain) {
                std::size_t size = 0;
                bool is_whole = true;
                for (std::uint32_t rank = 0; rank < table.size(); ++rank) {
                    size += domains.domain[rank] == domain ? 1 : 0;
                    is_whole &= domains.domain[rank] != domain || !is_taken[rank];
                }
                ASSERT_TRUE(!is_whole || size == 0 || size == table.size())
                    << "job " << number << ", " << type.uri() << ' ' << domain << " was left over";
            }
        }
    }
}

}  // namespace
}  // namespace hitopo
