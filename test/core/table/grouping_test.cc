// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/grouping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/machine/placement.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "test/core/exchange/fake_job.h"
#include "test/core/exchange/random_job.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Ints = std::vector<std::int32_t>;

TEST(Grouping, of_two_domains_that_cross_the_larger_stands_whole) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3, 4, 5, 6, 7}};
    machine.types["Package"] = {{0, 1, 2, 3, 4}, {5, 6, 7}};
    machine.types["Die"] = {{3, 4, 5, 6}, {0, 1}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const Table table = table_of(job);
    const Grouping grouping = Grouping::unguided(table);
    EXPECT_EQ(grouping.split().group, (Ints{0, 0, 0, 0, 0, 1, 1, 1})) << "Die 3-6 crosses Package 0-4";
    EXPECT_EQ(grouping.own(6).type, "hwloc://Package");
    EXPECT_EQ(grouping.own(6).ranks, (Ranks{5, 6, 7}));
    EXPECT_EQ(grouping.own(6).number, 1);
    EXPECT_EQ(grouping.lowest_ranks(), (Ranks{0, 5}));
}

TEST(Grouping, of_two_of_equal_size_the_outer_type_stands_then_the_lower_rank) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3}};
    machine.types["Package"] = {{1, 2}};
    machine.types["Die"] = {{0, 1}, {2, 3}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const Table table = table_of(job);
    const Grouping grouping = Grouping::unguided(table);
    EXPECT_EQ(grouping.split().group, (Ints{-1, 0, 0, -1})) << "no whole domain is left for 0 and 3";
}

TEST(Grouping, one_process_cannot_be_split) {
    const Table table = table_of({on_host("n")});
    EXPECT_EQ(Grouping::unguided(table).split().group, (Ints{-1}));
    EXPECT_EQ(Grouping::unguided(table).own(0).count, 0U);
}

TEST(Grouping, by_type_leaves_out_who_is_restricted_to_none) {
    const FakeMachine machine = make_machine({1, 1, 1, 2});
    const Table table = table_of({on_host("n").has(machine).runs_on("1"), on_host("n").runs_on("0-1"),
                                  on_host("n").runs_on("0"), on_host("n").runs_on("1")});
    Grouping grouping = Grouping::by_type(table, {"Core", false, kCluster});
    EXPECT_EQ(grouping.split().group, (Ints{0, -1, 1, 0}))
        << "groups are numbered by their lowest ranks";
    EXPECT_EQ(grouping.own(2).type, "hwloc://Core");
    EXPECT_EQ(grouping.own(3).ranks, (Ranks{0, 3}));
    EXPECT_EQ(grouping.own(1).number, Split::kNone);
    EXPECT_EQ(grouping.lowest_ranks(), (Ranks{0, 2}));
    grouping.fill_with_singles();
    EXPECT_EQ(grouping.split().group, (Ints{0, 1, 2, 0}));
    EXPECT_EQ(grouping.own(2).number, 2);
    EXPECT_EQ(grouping.own(1).ranks, (Ranks{1}));
    EXPECT_EQ(grouping.lowest_ranks(), (Ranks{0, 1, 2}));
    EXPECT_EQ(Grouping::by_type(table, {"Switch", true, kSwitch}).count(), 0U) << "nobody knows it";
}

TEST(Grouping, nobody_is_in_a_group_and_filled_each_process_has_its_own) {
    const Table table = table_of({on_host("n"), on_host("n"), on_host("m")});
    Grouping grouping(table);
    EXPECT_EQ(grouping.own(1).ranks, Ranks());
    EXPECT_EQ(grouping.own(1).count, 0U);
    grouping.fill_with_singles();
    EXPECT_EQ(grouping.own(1).ranks, (Ranks{1}));
    EXPECT_EQ(grouping.own(1).number, 1);
    EXPECT_EQ(grouping.own(1).count, 3U);
    EXPECT_EQ(grouping.lowest_ranks(), (Ranks{0, 1, 2}));
}

TEST(Grouping, shared_memory_is_not_the_address) {
    FakeJob job = {on_host("n"), on_host("n"), on_host("n"), on_host("m")};
    job[1].facts.shm_device = 7;
    job[3].simulates_node(Name("n"));
    const Table table = table_of(job);
    EXPECT_EQ(Grouping::by_shared_memory(table).split().group, (Ints{0, 1, 0, 2}));
    EXPECT_EQ(Grouping::by_shared_memory(table).own(2).ranks, (Ranks{0, 2}));
    EXPECT_EQ(Grouping::by_shared_memory(table).own(2).type, "");
}

// 100 000 processes on 2000 nodes; ten nodes a switch, ten switches an island.
Table large_table(bool is_shuffled) {
    DictionaryDraft dictionary;
    dictionary.machines.push_back(*Machine::decode(make_machine({2, 2, 2, 8}).encoded()));
    for (int core = 0; core < 50; ++core) {
        Pattern pattern;
        pattern.cpus.add(core);
        pattern.placement = place(dictionary.machines[0], pattern.cpus);
        dictionary.patterns.push_back(pattern);
    }
    std::vector<Process> processes;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        NodeInfo node;
        node.values = {0, static_cast<std::int32_t>(i / 100), static_cast<std::int32_t>(i / 10)};
        node.machine = 0;
        node.first_cohort = i;
        dictionary.cohorts.push_back({i});
        dictionary.nodes.push_back(node);
        for (std::uint32_t core = 0; core < 50; ++core) {
            processes.push_back({i, core});
        }
    }
    if (is_shuffled) {
        std::shuffle(processes.begin(), processes.end(), std::mt19937_64(1));
    }
    return Table(std::move(dictionary), Occupancy::of(processes));
}

// An array with a number for each process would take 400 000 bytes.
TEST(Grouping, takes_memory_for_nodes_not_for_processes) {
    for (const bool is_shuffled : {false, true}) {
        const Table table = large_table(is_shuffled);
        for (const std::uint32_t rank : {0U, 99999U}) {
            const CountedMemory before_guided;
            const OwnGroup core = Grouping::by_type(table, {"Core", false, kCluster}).own(rank);
            EXPECT_EQ(core.count, 100000U);
            EXPECT_EQ(core.number, static_cast<std::int32_t>(rank));
            EXPECT_LE(before_guided.peak_bytes(), 60000U);
            const CountedMemory before_shared;
            EXPECT_EQ(Grouping::by_shared_memory(table).own(rank).ranks.size(), 50U);
            EXPECT_LE(before_shared.peak_bytes(), 60000U);
            const CountedMemory before_unguided;
            const OwnGroup island = Grouping::unguided(table).own(rank);
            EXPECT_EQ(island.count, 20U);
            EXPECT_EQ(island.ranks.size(), 5000U);
            EXPECT_LE(before_unguided.peak_bytes(), 200000U);
            const CountedMemory before_hierarchy;
            const Hierarchy hierarchy = make_hierarchy(table, rank);
            EXPECT_EQ(hierarchy.depth, 7U) << "island, switch, node, package, NUMA node, L3 cache, core";
            EXPECT_EQ(hierarchy.steps[1].ranks.size(), 500U);
            EXPECT_LE(before_hierarchy.peak_bytes(), 200000U);
        }
    }
}

// Whatever the job: the result is a partition of strict subsets, each a domain of its type, and no
// process without one had a whole domain left.
TEST(Grouping, unguided_is_a_partition_into_domains) {
    std::mt19937_64 random(test_seed());
    for (int number = 0; number < 300; ++number) {
        const Table table = table_of(random_job(random));
        const Grouping grouping = Grouping::unguided(table);
        std::vector<bool> is_taken(table.size(), false);
        std::uint32_t last_first = 0;
        for (const std::uint32_t first : grouping.lowest_ranks()) {
            const OwnGroup group = grouping.own(first);
            ASSERT_LT(group.ranks.size(), table.size()) << "job " << number;
            ASSERT_TRUE(std::is_sorted(group.ranks.begin(), group.ranks.end()));
            ASSERT_GE(group.ranks[0], last_first) << "by their lowest ranks";
            last_first = group.ranks[0];
            const std::vector<int> domain_of = domains_at(table, group.type);
            const std::int32_t domain = domain_of[group.ranks[0]];
            ASSERT_GE(domain, 0);
            Ranks members;
            for (std::uint32_t rank = 0; rank < table.size(); ++rank) {
                if (domain_of[rank] == domain) {
                    members.push_back(rank);
                    ASSERT_FALSE(is_taken[rank]) << "job " << number;
                    is_taken[rank] = true;
                }
            }
            ASSERT_EQ(members, group.ranks) << "job " << number;
        }
        for (const ResourceType& type : nesting_types(table)) {
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
