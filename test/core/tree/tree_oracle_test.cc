// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Trees of thousands of random jobs against the oracle's addresses and domains, and their splits against
// the plain rules. HITOPO_TEST_SEED=N begins with another job; a failure names the one to begin with.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "test/core/record/for_seeds.h"
#include "test/core/tree/all_questions.h"
#include "test/core/tree/fake_tree.h"
#include "test/oracle/oracle.h"
#include "test/oracle/split_rules.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

std::vector<std::uint32_t> all_ranks(std::size_t size) {
    std::vector<std::uint32_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

// Groups of any numbers, as the same by their lowest ranks.
std::vector<std::int32_t> in_order(const std::vector<int>& groups) {
    return split_by_number({groups.begin(), groups.end()}).group;
}

void expect_equal(const AddressTree& tree, const oracle::Expected& expected) {
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        ASSERT_EQ(address_of(tree, rank), to_string(expected.addresses[rank])) << "rank " << rank;
    }
    for (const auto& [level, numbers] : expected.numbers) {
        const std::size_t num_unknown = numbers.count(-1), num_known = numbers.size() - num_unknown;
        ASSERT_EQ(static_cast<std::size_t>(tree.num_distinct(level)), num_known);
        ASSERT_EQ(tree.known(level), num_known == 0     ? AddressTree::Known::kNone
                                     : num_unknown == 0 ? AddressTree::Known::kAll
                                                        : AddressTree::Known::kSome);
    }
    std::set<std::string> uris;
    for (const ResourceType& type : resource_types(tree)) {
        ASSERT_TRUE(uris.insert(type.uri()).second) << type.uri();
        ASSERT_EQ(expected.domains.count(type.uri()), 1U) << type.uri();
        ASSERT_EQ(Partition::by_type(tree, type).split().group,
                  in_order(expected.domains.at(type.uri())))
            << type.uri();
    }
    ASSERT_EQ(uris.size(), expected.domains.size());
}

// Positions are a permutation, by node and then by rank, and every known instance is an interval of
// nodes. Nodes and their seats stand in the order of addresses.
void expect_positions(const AddressTree& tree) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Address> by_seat;
    for (std::uint32_t position = 0; position < tree.size(); ++position) {
        const std::uint32_t rank = tree.rank_at(position);
        ASSERT_EQ(tree.position_of(rank), position);
        ASSERT_EQ(tree.node_at(position), tree.at(rank).node);
        by_seat.emplace(std::pair(tree.at(rank).node, tree.at(rank).seat), tree.address(rank));
        ASSERT_TRUE(position == tree.nodes()[tree.at(rank).node].first_position ||
                    tree.rank_at(position - 1) < rank);
    }
    ASSERT_TRUE(std::is_sorted(by_seat.begin(), by_seat.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; }));
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        std::set<std::int32_t> ended;
        for (std::size_t node = 1; node < tree.nodes().size(); ++node) {
            const std::int32_t before = tree.network_number(node - 1, level);
            if (tree.network_number(node, level) != before) {
                ended.insert(before);
                ASSERT_TRUE(tree.network_number(node, level) < 0 ||
                            ended.count(tree.network_number(node, level)) == 0);
            }
        }
    }
}

// Who can share memory: one operating system, one /dev/shm, one IPC namespace, whatever is simulated.
void expect_shared(const AddressTree& tree, const FakeJob& job,
                   const std::vector<std::uint32_t>& members) {
    using Space = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;
    std::map<Space, int> id_of;
    std::vector<int> ids;
    for (const std::uint32_t member : members) {
        const ProcessFacts& facts = job[member].facts;
        const Space space = {facts.host_name, facts.boot_id, facts.shm_device, facts.ipc_namespace};
        ids.push_back(id_of.emplace(space, static_cast<int>(id_of.size())).first->second);
    }
    ASSERT_EQ(Partition::by_shared_memory(tree).split().group, in_order(ids));
}

int num_cpus(const AddressTree& tree, std::uint32_t rank, const ResourceType& type) {
    const PlaceInNode& place = tree.place(tree.at(rank).seat);
    const std::vector<int>& instances = place.instance_numbers.instances;
    for (std::size_t i = 0; !type.is_level && place.machine >= 0 && i < instances.size(); ++i) {
        const MachineType& own =
            tree.facts().machines[static_cast<std::size_t>(place.machine)].types()[i];
        if (own.name == type.name && instances[i] >= 0) {
            return own.instances[static_cast<std::size_t>(instances[i])].count();
        }
    }
    return split_rules::kUnknownCpus;
}

std::size_t depth_of(const split_rules::Tree& tree) {
    std::size_t depth = 0;
    for (const split_rules::Tree& part : tree.parts) {
        depth = std::max(depth, 1 + depth_of(part));
    }
    return depth;
}

// The splits that the plain rules make of the same domains.
void expect_splits(const AddressTree& tree, std::uint32_t rank) {
    std::vector<split_rules::Instances> types;
    for (const ResourceType& type : nesting_types(tree)) {
        const std::vector<std::int32_t> groups = Partition::by_type(tree, type).groups();
        types.push_back({type.uri(), {groups.begin(), groups.end()}, {}});
        for (std::uint32_t other = 0; other < tree.size(); ++other) {
            types.back().num_cpus.push_back(num_cpus(tree, other, type));
        }
    }
    split_rules::Processes comm(tree.size());
    std::iota(comm.begin(), comm.end(), 0);
    const std::uint32_t other = (3 * rank + 1) % tree.size();
    const split_rules::Processes both = {static_cast<int>(rank), static_cast<int>(other)};
    ASSERT_EQ(min_domain(tree, {rank, other}), split_rules::smallest_domain(both, comm, types));
    split_rules::Tree plain = split_rules::tree_of(comm, types);
    const OwnGroup unguided = Partition::unguided(tree).own(rank);
    ASSERT_EQ(unguided.count, plain.parts.size());
    const Hierarchy hierarchy = make_hierarchy(tree, rank);
    ASSERT_EQ(hierarchy.depth, depth_of(plain));
    std::size_t depth = 0;
    for (const HierarchyStep& step : hierarchy.steps) {
        const auto own = std::find_if(plain.parts.begin(), plain.parts.end(), [&](const auto& part) {
            return std::count(part.members.begin(), part.members.end(), static_cast<int>(rank)) > 0;
        });
        ASSERT_NE(own, plain.parts.end());
        ASSERT_EQ(step.ranks, Ranks(own->members.begin(), own->members.end()));
        ASSERT_EQ(step.type, own->uri);
        ASSERT_EQ(step.number, own - plain.parts.begin());
        ASSERT_EQ(step.count, plain.parts.size());
        const split_rules::Processes roots =
            step.ranks[0] == rank ? split_rules::roots_of(plain) : split_rules::Processes();
        ASSERT_EQ(step.roots, Ranks(roots.begin(), roots.end()));
        if (depth++ == 0) {
            ASSERT_EQ(unguided.ranks, step.ranks);
            ASSERT_EQ(unguided.type, step.type);
            ASSERT_EQ(unguided.number, step.number);
        }
        plain = split_rules::Tree(*own);
    }
    ASSERT_TRUE(std::none_of(plain.parts.begin(), plain.parts.end(), [&](const auto& part) {
        return std::count(part.members.begin(), part.members.end(), static_cast<int>(rank)) > 0;
    }));
}

void compare_with_oracle(int num_jobs, const RandomTraits& traits) {
    for_seeds(random_cases(num_jobs), [&](std::mt19937_64& random) {
        const FakeJob job = random_job(random, traits);
        const AddressTree world = tree_of(job);
        const std::vector<std::uint32_t> members = random_members(random, job.size());
        const AddressTree part = world.restrict_to(members);
        const auto rank = static_cast<std::uint32_t>(random() % members.size());
        ASSERT_NO_FATAL_FAILURE(expect_equal(world, oracle::expect(job, all_ranks(job.size()))));
        ASSERT_NO_FATAL_FAILURE(expect_equal(part, oracle::expect(job, members)));
        ASSERT_NO_FATAL_FAILURE(expect_positions(world));
        ASSERT_NO_FATAL_FAILURE(expect_positions(part));
        ASSERT_NO_FATAL_FAILURE(expect_shared(part, job, members));
        ASSERT_EQ(first_wrong_answer(part), "");
        ASSERT_NO_FATAL_FAILURE(expect_splits(world, members[rank]));
        ASSERT_NO_FATAL_FAILURE(expect_splits(part, rank));
    });
}

TEST(TreeOracle, agrees_on_jobs_with_gaps_and_simulations) { compare_with_oracle(300, {}); }

TEST(TreeOracle, agrees_on_jobs_whose_processes_tell_the_same) {
    compare_with_oracle(100, {false, false, 0});
}

// Whatever the groups, and in whatever order they come.
TEST(TreeOracle, any_cut_into_groups_gives_the_same_tree) {
    for_seeds(random_cases(200), [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        std::vector<int> group_of(job.size());
        for (int& group : group_of) {
            group = static_cast<int>(random() % 5);
        }
        const AddressTree whole = tree_of(job);
        const AddressTree cut = tree_of(job, group_of);
        for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
            ASSERT_EQ(whole.address(rank), cut.address(rank)) << "rank " << rank;
            ASSERT_EQ(whole.position_of(rank), cut.position_of(rank)) << "rank " << rank;
            const PlaceInNode& one = whole.place(whole.at(rank).seat);
            const PlaceInNode& other = cut.place(cut.at(rank).seat);
            ASSERT_EQ(one.names, other.names);
            ASSERT_EQ(one.cpus, other.cpus);
        }
        ASSERT_EQ(whole.facts().node_names, cut.facts().node_names);
        ASSERT_EQ(uris_of(whole), uris_of(cut));
        for (const ResourceType& type : resource_types(whole)) {
            ASSERT_EQ(Partition::by_type(whole, type).split().group,
                      Partition::by_type(cut, type).split().group)
                << type.uri();
        }
        ASSERT_EQ(whole.facts().warnings, cut.facts().warnings);
    });
}

TEST(TreeOracle, a_part_of_a_part_is_a_part) {
    for_seeds(random_cases(200), [](std::mt19937_64& random) {
        const AddressTree world = tree_of(random_job(random));
        const std::vector<std::uint32_t> members = random_members(random, world.size());
        const std::vector<std::uint32_t> some = random_members(random, members.size());
        std::vector<std::uint32_t> together;
        for (const std::uint32_t member : some) {
            together.push_back(members[member]);
        }
        const AddressTree twice = world.restrict_to(members).restrict_to(some);
        const AddressTree once = world.restrict_to(together);
        for (std::uint32_t rank = 0; rank < once.size(); ++rank) {
            ASSERT_EQ(twice.address(rank), once.address(rank)) << "rank " << rank;
            ASSERT_EQ(twice.position_of(rank), once.position_of(rank)) << "rank " << rank;
        }
        ASSERT_EQ(twice.identity(), world.identity());
        ASSERT_EQ(uris_of(twice), uris_of(once));
    });
}

}  // namespace
}  // namespace hitopo
