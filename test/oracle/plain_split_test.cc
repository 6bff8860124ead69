// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits by nodes and seats against those worked out process by process, on thousands of random tables.
// HITOPO_TEST_SEED=N begins with another; a failure names the one to begin with.
#include "test/oracle/plain_split.h"

#include <gtest/gtest.h>

#include <set>

#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "test/core/exchange/random_job.h"
#include "test/core/table/random_table.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

using oracle::PlainHierarchy;
using oracle::PlainSplit;
using oracle::PlainStep;

// Some ranks, with the first and the last: all of a small table.
std::set<std::uint32_t> ranks_to_ask(const Table& table, std::mt19937_64& random) {
    const auto size = static_cast<std::uint32_t>(table.size());
    std::set<std::uint32_t> ranks = {0, size - 1};
    for (int i = 0; i < 4; ++i) {
        ranks.insert(static_cast<std::uint32_t>(random() % size));
    }
    return ranks;
}

void expect_equal(const Grouping& grouping, const PlainSplit& plain,
                  const std::set<std::uint32_t>& ranks) {
    ASSERT_EQ(grouping.count(), plain.types.size());
    ASSERT_EQ(grouping.split().group, plain.group);
    ASSERT_EQ(grouping.split().count, plain.types.size());
    ASSERT_EQ(grouping.lowest_ranks(), plain.lowest_ranks());
    for (const std::uint32_t rank : ranks) {
        SCOPED_TRACE("rank " + std::to_string(rank));
        const OwnGroup own = grouping.own(rank);
        const std::int32_t number = plain.group[rank];
        ASSERT_EQ(own.number, number);
        ASSERT_EQ(own.count, plain.types.size());
        ASSERT_EQ(own.ranks, number < 0 ? Ranks() : plain.members(number));
        ASSERT_EQ(own.type, number < 0 ? "" : plain.types[static_cast<std::size_t>(number)]);
    }
}

void expect_filled(Grouping grouping, PlainSplit plain, const std::set<std::uint32_t>& ranks) {
    expect_equal(grouping, plain, ranks);
    grouping.fill_with_singles();
    expect_equal(grouping, oracle::plain_filled(std::move(plain)), ranks);
}

void expect_equal(const Hierarchy& hierarchy, const PlainHierarchy& plain) {
    ASSERT_EQ(hierarchy.depth, plain.depth);
    ASSERT_EQ(hierarchy.steps.size(), plain.steps.size());
    for (std::size_t i = 0; i < plain.steps.size(); ++i) {
        SCOPED_TRACE("step " + std::to_string(i));
        const HierarchyStep& step = hierarchy.steps[i];
        ASSERT_EQ(step.ranks, plain.steps[i].ranks);
        ASSERT_EQ(step.roots, plain.steps[i].roots);
        ASSERT_EQ(step.type, plain.steps[i].type);
        ASSERT_EQ(step.number, static_cast<std::int32_t>(plain.steps[i].number));
        ASSERT_EQ(step.count, plain.steps[i].num_siblings);
    }
}

void expect_as_plain(const Table& table, std::mt19937_64& random) {
    const std::set<std::uint32_t> ranks = ranks_to_ask(table, random);
    for (const ResourceType& type : resource_types(table)) {
        SCOPED_TRACE(type.uri());
        expect_filled(Grouping::by_type(table, type), oracle::plain_by_type(table, type), ranks);
    }
    SCOPED_TRACE("no type");
    expect_filled(Grouping(table), oracle::plain_nobody(table), ranks);
    expect_equal(Grouping::by_shared_memory(table), oracle::plain_by_shared_memory(table), ranks);
    expect_equal(Grouping::unguided(table), oracle::plain_unguided(table), ranks);
    for (const std::uint32_t rank : ranks) {
        SCOPED_TRACE("rank " + std::to_string(rank));
        expect_equal(make_hierarchy(table, rank), oracle::plain_hierarchy(table, rank));
    }
}

// Calls make(random numbers) for a table, and compares it and a part of it.
template <class Make>
void compare(int num_tables, Make make) {
    for (int i = 0; i < num_tables && !testing::Test::HasFatalFailure(); ++i) {
        const std::uint64_t seed = test_seed() + static_cast<std::uint64_t>(i);
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        std::mt19937_64 random(seed);
        const Table table = make(random);
        expect_as_plain(table, random);
        expect_as_plain(table.restrict_to(random_members(random, table.size())), random);
    }
}

TEST(PlainSplit, agrees_on_tables_of_all_shapes) {
    compare(random_cases(240), [](std::mt19937_64& random) { return random_table(random); });
}

TEST(PlainSplit, agrees_on_tables_whose_domains_nest) {
    TableTraits traits;
    traits.has_crossings = false;
    compare(random_cases(120), [&](std::mt19937_64& random) { return random_table(random, traits); });
}

TEST(PlainSplit, agrees_where_nodes_hold_one_process) {
    TableTraits traits;
    traits.max_processes = 1;
    traits.max_nodes = 30;
    compare(random_cases(120), [&](std::mt19937_64& random) { return random_table(random, traits); });
}

TEST(PlainSplit, agrees_on_jobs_with_gaps_and_simulations) {
    compare(random_cases(120), [](std::mt19937_64& random) { return table_of(random_job(random)); });
}

}  // namespace
}  // namespace hitopo
