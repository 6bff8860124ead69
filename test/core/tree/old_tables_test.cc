// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Trees of random jobs against the tables of core/table. Goes with those. HITOPO_TEST_SEED=N begins with
// another job.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "ompi/mca/hitopo/core/table/locality.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "test/core/exchange/for_seeds.h"
#include "test/core/tree/fake_tree.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

void expect_equal(const OwnGroup& group, const OwnGroup& old, const std::string& what) {
    ASSERT_EQ(group.ranks, old.ranks) << what;
    ASSERT_EQ(group.number, old.number) << what;
    ASSERT_EQ(group.count, old.count) << what;
    ASSERT_EQ(group.type, old.type) << what;
}

void expect_equal(const Partition& partition, const Grouping& old, std::size_t size,
                  const std::string& what) {
    ASSERT_EQ(partition.count(), old.count()) << what;
    ASSERT_EQ(partition.lowest_ranks(), old.lowest_ranks()) << what;
    ASSERT_EQ(partition.split().group, old.split().group) << what;
    for (const std::size_t rank : {std::size_t{0}, size / 2, size - 1}) {
        expect_equal(partition.own(static_cast<std::uint32_t>(rank)),
                     old.own(static_cast<std::uint32_t>(rank)), what);
    }
}

void expect_equal_addresses(const AddressTree& tree, const Table& old) {
    ASSERT_EQ(tree.size(), old.size());
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        ASSERT_EQ(address_of(tree, rank), address_of(old, rank)) << "rank " << rank;
        ASSERT_EQ(tree.rank_at(tree.position_of(rank)), rank);
        const AddressTree::At at = tree.at(rank);
        ASSERT_EQ(tree.place(at.seat).names, old.pattern(rank).names);
        ASSERT_EQ(tree.place(at.seat).cpus, old.pattern(rank).cpus);
        const std::size_t listed = tree.listed(at.node);
        const NodeInfo node = old.node(rank);
        ASSERT_EQ(tree.facts().node_name(listed), node.name);
        ASSERT_EQ(tree.facts().nodes[listed].identity, node.identity);
        ASSERT_EQ(tree.facts().kind_of(listed).node, node.component);
        ASSERT_EQ(tree.facts().kind_of(listed).inner, node.inner_component);
        ASSERT_EQ(tree.facts().kind_of(listed).l2numa, node.l2numa_component);
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            const std::int32_t number = tree.facts().branch_of(listed)[level];
            ASSERT_EQ(number, node.values[level]);
            if (number >= 0) {
                const auto index = static_cast<std::size_t>(number);
                ASSERT_EQ(tree.facts().values[level][index].component,
                          old.dictionary().value(level, index).component);
                ASSERT_EQ(tree.facts().values[level][index].value,
                          old.dictionary().value(level, index).value);
            }
        }
    }
    for (int level = 0; level < kNumLevels; ++level) {
        ASSERT_EQ(static_cast<int>(tree.known(static_cast<Level>(level))),
                  static_cast<int>(old.known(static_cast<Level>(level))));
        ASSERT_EQ(tree.num_distinct(static_cast<Level>(level)),
                  old.num_distinct(static_cast<Level>(level)));
    }
}

void expect_equal_questions(const AddressTree& tree, const Table& old, std::mt19937_64& random) {
    const auto size = static_cast<std::uint32_t>(tree.size());
    for (const ResourceType& type : resource_types(old)) {
        const std::vector<ResourceType> types = resource_types(tree);
        const auto own = std::find_if(types.begin(), types.end(),
                                      [&](const auto& other) { return other.uri() == type.uri(); });
        ASSERT_NE(own, types.end()) << type.uri();
        Partition partition = Partition::by_type(tree, *own);
        Grouping grouping = Grouping::by_type(old, type);
        expect_equal(partition, grouping, size, type.uri());
        partition.fill_with_singles();
        grouping.fill_with_singles();
        expect_equal(partition, grouping, size, type.uri());
    }
    ASSERT_EQ(uris_of(tree).size(), uris_of(old).size());
    expect_equal(Partition::by_shared_memory(tree), Grouping::by_shared_memory(old), size, "memory");
    std::vector<std::string> own_types;
    std::vector<std::string> old_types;
    for (const ResourceType& type : nesting_types(tree)) {
        own_types.push_back(type.uri());
    }
    for (const ResourceType& type : nesting_types(old)) {
        old_types.push_back(type.uri());
    }
    const std::vector<ResourceType>& types = tree.facts().types;
    if (std::none_of(types.begin(), types.end(), [](const auto& type) { return type.is_side(); })) {
        ASSERT_EQ(own_types, old_types);
    } else if (own_types != old_types) {
        return;  // side resources of machines are in the order, too
    }
    expect_equal(Partition::unguided(tree), Grouping::unguided(old), size, "unguided");
    const auto rank = static_cast<std::uint32_t>(random() % size);
    const Hierarchy own_hierarchy = make_hierarchy(tree, rank);
    const Hierarchy old_hierarchy = make_hierarchy(old, rank);
    ASSERT_EQ(own_hierarchy.depth, old_hierarchy.depth);
    ASSERT_EQ(own_hierarchy.steps.size(), old_hierarchy.steps.size());
    for (std::size_t step = 0; step < own_hierarchy.steps.size(); ++step) {
        expect_equal(own_hierarchy.steps[step], old_hierarchy.steps[step], "hierarchy");
        ASSERT_EQ(own_hierarchy.steps[step].roots, old_hierarchy.steps[step].roots);
    }
    Ranks some = random_members(random, size);
    some.resize(std::min<std::size_t>(some.size(), 3));
    ASSERT_EQ(min_domain(tree, some), min_domain(old, some));
    for (const Metric metric : {Metric::kCompute, Metric::kMemory, Metric::kNetwork}) {
        for (const int hops : {0, 1, 2, 9}) {
            ASSERT_EQ(neighbours(tree, rank, hops, metric), neighbours(old, rank, hops, metric));
        }
    }
    std::map<std::string, bool> restricted;
    for (const Restriction& restriction : restrictions(old, rank, CpuSet::range(0, 0))) {
        restricted[restriction.uri] = restriction.is_restricted;
    }
    for (const Restriction& restriction : restrictions(tree, rank, CpuSet::range(0, 0))) {
        ASSERT_EQ(restricted.at(restriction.uri), restriction.is_restricted) << restriction.uri;
    }
}

void compare(const FakeJob& job, std::mt19937_64& random) {
    const AddressTree tree = tree_of(job);
    const Table old = table_of(job);
    expect_equal_addresses(tree, old);
    if (testing::Test::HasFatalFailure()) {
        return;
    }
    expect_equal_questions(tree, old, random);
    const std::vector<std::uint32_t> members = random_members(random, job.size());
    const AddressTree part = tree.restrict_to(members);
    const Table old_part = old.restrict_to(members);
    expect_equal_addresses(part, old_part);
    if (testing::Test::HasFatalFailure()) {
        return;
    }
    expect_equal_questions(part, old_part, random);
}

TEST(OldTables, have_the_same_answers_for_jobs_whose_processes_tell_the_same) {
    for_seeds(random_cases(300), [](std::mt19937_64& random) {
        compare(random_job(random, {false, false, 0, true}), random);
    });
}

}  // namespace
}  // namespace hitopo
