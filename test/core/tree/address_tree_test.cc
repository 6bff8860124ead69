// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/address_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/core/tree/fake_tree.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Ints = std::vector<int>;

// ---- the wiki's example ----

// cluster0, island2, switch2 to switch5 of four nodes each, four sockets of four cores.
FakeJob wiki_job(const std::string& component, bool has_numbers) {
    const auto name = [&](const char* word, int number) {
        return has_numbers ? RawValue(Name::number(static_cast<std::uint64_t>(number)))
                           : RawValue(Name(word + std::to_string(number)));
    };
    FakeJob job;
    for (int node = 0; node < 16; ++node) {
        for (int core = 0; core < 16; ++core) {
            job.push_back(on_host("node" + std::to_string(node))
                              .gives(component, kCluster, name("cluster", 0))
                              .gives(component, kIsland, name("island", 2))
                              .gives(component, kSwitch, name("switch", 2 + node / 4))
                              .gives(component, kNode, name("node", node))
                              .has(make_machine({4, 1, 1, 4}))
                              .runs_on(std::to_string(core)));
        }
    }
    return job;
}

// Socket 3, core 2 of node4, which is at switch3.
constexpr std::size_t kWikiRank = 4 * 16 + 3 * 4 + 2;

TEST(AddressTree, the_wikis_example) {
    EXPECT_EQ(address_of(tree_of(wiki_job("slurm", false)), kWikiRank), "0.0.1.4.0.3.2.0");
    EXPECT_EQ(address_of(tree_of(wiki_job("slurm", true)), kWikiRank), "0.0.1.4.0.3.2.0");
}

TEST(AddressTree, the_wikis_example_with_every_level_told_by_one_file) {
    FakeJob job = wiki_job("file", true);
    for (std::size_t rank = 0; rank < job.size(); ++rank) {
        job[rank]
            .gives("file", kL2Numa, Name::number(0))
            .gives("file", kSocket, Name::number(rank % 16 / 4))
            .gives("file", kCore, Name::number(rank % 4));
    }
    EXPECT_EQ(address_of(tree_of(job), kWikiRank), "0.0.1.4.0.3.2.0");
}

TEST(AddressTree, numbers_only_what_the_communicator_has) {
    const AddressTree world = tree_of(wiki_job("slurm", false));
    const AddressTree two = world.restrict_to({kWikiRank, kWikiRank + 9 * 16 + 1});
    EXPECT_EQ(address_of(two, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(two, 1), "0.0.1.1.0.0.1.0");
}

// ---- who knows ----

TEST(AddressTree, a_level_that_nobody_knows_is_0_for_all) {
    const AddressTree tree = tree_of({on_host("a"), on_host("b")});
    EXPECT_EQ(address_of(tree, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(tree, 1), "0.0.0.1.0.0.0.0");
    EXPECT_EQ(tree.known(kSwitch), AddressTree::Known::kNone);
    EXPECT_EQ(tree.num_distinct(kSwitch), 0);
    EXPECT_EQ(tree.known(kHwThread), AddressTree::Known::kNone);
}

TEST(AddressTree, where_some_know_a_level_the_others_are_unknown) {
    const AddressTree tree = tree_of({on_host("a"), on_host("b").gives("slurm", kSwitch, Name("s")),
                                      on_host("c").gives("slurm", kSwitch, Name("t")),
                                      on_host("c").has(make_machine({2})).runs_on("1")});
    EXPECT_EQ(values_of(tree, kSwitch), (Ints{-1, 0, 1, 1}));
    EXPECT_EQ(address_of(tree, 0), "0.0.-1.0.-1.-1.-1.-1");
    EXPECT_EQ(address_of(tree, 3), "0.0.1.2.0.0.0.0");
    EXPECT_EQ(tree.known(kSwitch), AddressTree::Known::kSome);
    EXPECT_EQ(tree.num_distinct(kSwitch), 2);
}

TEST(AddressTree, each_communicator_knows_what_its_own_members_know) {
    const AddressTree world = tree_of({on_host("a"), on_host("b").gives("slurm", kSwitch, Name("s"))});
    EXPECT_EQ(world.restrict_to({0}).known(kSwitch), AddressTree::Known::kNone);
    EXPECT_EQ(address_of(world.restrict_to({0}), 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(world.restrict_to({1}).known(kSwitch), AddressTree::Known::kAll);
}

// ---- inside a node ----

TEST(AddressTree, one_sockets_process_unbound) {
    FakeProcess first = on_host("n1").has(make_machine({2, 1, 1, 2})).runs_on("0");
    const AddressTree tree = tree_of(
        {first, on_host("n1").runs_on("1"), on_host("n1").runs_on("2-3"), on_host("n1").runs_on("0-3")});
    EXPECT_EQ(address_of(tree, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(tree, 1), "0.0.0.0.0.0.1.0");
    EXPECT_EQ(address_of(tree, 2), "0.0.0.0.0.1.-1.-1") << "bound to a socket";
    EXPECT_EQ(address_of(tree, 3), "0.0.0.0.0.-1.-1.-1") << "bound to none";
}

TEST(AddressTree, unequal_nodes) {
    const AddressTree tree = tree_of({on_host("fat").has(make_machine({2, 1, 1, 4})).runs_on("7"),
                                      on_host("thin").has(make_machine({1, 1, 1, 2})).runs_on("1"),
                                      on_host("thin").runs_on("0")});
    EXPECT_EQ(values_of(tree, kSocket), (Ints{1, 0, 0}));
    EXPECT_EQ(values_of(tree, kCore), (Ints{2, 1, 0})) << "cores 3, 1 and 0 of their sockets";
}

TEST(AddressTree, hwthread_numbers_the_processes_of_a_core_by_thread_then_rank) {
    const FakeMachine machine = make_machine({1, 1, 1, 2, 2});
    const AddressTree tree =
        tree_of({on_host("n").runs_on("0-1"), on_host("n").runs_on("1"), on_host("n").runs_on("0"),
                 on_host("n").runs_on("0-1").has(machine), on_host("n").runs_on("1"),
                 on_host("n").runs_on("3"), on_host("n").runs_on("0-3")});
    EXPECT_EQ(values_of(tree, kHwThread), (Ints{3, 1, 0, 4, 2, 0, -1}));
    EXPECT_EQ(tree.num_distinct(kHwThread), 5);
}

TEST(AddressTree, processes_of_a_machine_without_packages_are_numbered_on_their_core) {
    FakeMachine machine = make_machine({1, 1, 1, 3, 2});
    machine.types.erase("Package");
    const AddressTree tree = tree_of({on_host("n").runs_on("2-3").has(machine),
                                      on_host("n").runs_on("2"), on_host("n").runs_on("5")});
    EXPECT_EQ(address_of(tree, 0), "0.0.0.0.0.0.0.1");
    EXPECT_EQ(address_of(tree, 1), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(tree, 2), "0.0.0.0.0.0.1.0");
}

TEST(AddressTree, boards_of_two_packages_are_l2numa) {
    FakeMachine machine = make_machine({4});
    machine.types["Group"] = {{0, 1}, {2, 3}};
    const AddressTree tree = tree_of({on_host("n").runs_on("3").has(machine),
                                      on_host("n").runs_on("0-1"), on_host("n").runs_on("1-2")});
    EXPECT_EQ(values_of(tree, kL2Numa), (Ints{1, 0, -1}));
    EXPECT_EQ(values_of(tree, kSocket), (Ints{0, -1, -1})) << "socket 3 is the only one known";
}

TEST(AddressTree, a_simulated_job_on_one_host) {
    FakeJob job;
    for (int rank = 0; rank < 8; ++rank) {
        job.push_back(
            on_host("laptop").simulates_node(Name("sim" + std::to_string(rank / 4))).is_bound("core"));
    }
    job[5].has(make_machine({2, 1, 1, 2}));
    const AddressTree tree = tree_of(job);
    EXPECT_EQ(values_of(tree, kNode), (Ints{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(values_of(tree, kSocket), (Ints{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(values_of(tree, kCore), (Ints{0, 1, 0, 1, 0, 1, 0, 1}));
}

// ---- explicit values ----

TEST(AddressTree, explicit_cores_are_numbered_among_siblings) {
    const auto process = [](const char* host, const char* socket, const char* core) {
        return on_host(host).gives("file", kSocket, Name(socket)).gives("file", kCore, Name(core));
    };
    const AddressTree tree = tree_of({process("a", "left", "c9"), process("a", "left", "c10"),
                                      process("a", "right", "c10"), process("b", "right", "c1")});
    EXPECT_EQ(values_of(tree, kSocket), (Ints{0, 0, 1, 0}));
    EXPECT_EQ(values_of(tree, kCore), (Ints{0, 1, 0, 0}));
}

TEST(AddressTree, one_component_fills_socket_core_and_hwthread_together) {
    const AddressTree tree = tree_of(
        {on_host("n").has(make_machine({2, 1, 1, 2})).runs_on("0").gives("file", kSocket, Name("s"))});
    EXPECT_EQ(tree.known(kSocket), AddressTree::Known::kAll);
    EXPECT_EQ(tree.known(kCore), AddressTree::Known::kNone)
        << "hwloc's core does not stand beside file's socket";
    EXPECT_EQ(tree.known(kL2Numa), AddressTree::Known::kAll);
}

// ---- shape ----

TEST(AddressTree, positions_go_by_switch_and_node_then_by_rank) {
    const FakeMachine machine = make_machine({2});
    const auto process = [&](const char* host, const char* leaf, const char* cpus) {
        return on_host(host).gives("slurm", kSwitch, Name(leaf)).has(machine).runs_on(cpus);
    };
    const AddressTree tree =
        tree_of({process("a", "s2", "1"), process("b", "s1", "0"), process("a", "s2", "0-1"),
                 process("c", "s2", "1"), process("a", "s2", "0"), process("b", "s1", "1")});
    const std::vector<std::uint32_t> ranks = {1, 5, 0, 2, 4, 3};
    for (std::uint32_t position = 0; position < ranks.size(); ++position) {
        EXPECT_EQ(tree.rank_at(position), ranks[position]) << position;
        EXPECT_EQ(tree.position_of(ranks[position]), position);
    }
    ASSERT_EQ(tree.nodes().size(), 3U);
    EXPECT_EQ(tree.nodes()[1].first_position, 2U);
    EXPECT_EQ(tree.facts().node_name(tree.listed(0)), "b");
    EXPECT_EQ(tree.nodes()[0].number, 1U) << "nodes are numbered by name";
    EXPECT_EQ(tree.lowest_rank(1), 0U);
    EXPECT_LT(tree.at(2).seat, tree.at(4).seat) << "the unbound one is unknown inside";
}

TEST(AddressTree, of_an_empty_communicator_has_no_node) {
    const AddressTree tree = tree_of({on_host("a")}).restrict_to({});
    EXPECT_EQ(tree.size(), 0U);
    EXPECT_EQ(tree.nodes().size(), 0U);
}

TEST(AddressTree, a_process_can_stand_twice) {
    const AddressTree tree =
        tree_of({on_host("a").has(make_machine({})).runs_on("0")}).restrict_to({0, 0});
    EXPECT_EQ(values_of(tree, kHwThread), (Ints{0, 1}));
}

// ---- memory in a large job ----

constexpr std::uint32_t kNumNodes = 20000, kNumSeats = 50;

// 20 nodes a switch, 25 switches an island; all nodes are occupied alike.
std::shared_ptr<const JobFacts> large_facts() {
    auto facts = std::make_shared<JobFacts>();
    facts->machines.push_back(*Machine::decode(make_machine({2, 1, 1, 25}).encoded()));
    for (std::uint32_t core = 0; core < kNumSeats; ++core) {
        InnerPlace own;
        own.cpus.add(static_cast<int>(core));
        own.placement = place(facts->machines[0], own.cpus);
        own.machine = 0;
        facts->places.push_back(std::move(own));
    }
    facts->nodes.reserve(kNumNodes);
    facts->sharings.reserve(kNumNodes);
    for (std::uint32_t number = 0; number < kNumNodes; ++number) {
        if (number % 20 == 0) {
            const auto value = static_cast<std::int32_t>(number);
            facts->branches.push_back({0, value / 500, value / 20});
        }
        facts->nodes.push_back({number, 0, number / 20, 0, number});
        facts->sharings.push_back({number, 0});
    }
    return facts;
}

enum class Mapping { kBySlot, kByNode, kShuffled };

AddressTree large_tree(Mapping mapping) {
    Occupation occupation;
    std::vector<std::uint32_t> places(kNumSeats);
    std::iota(places.begin(), places.end(), 0U);
    (void)occupation.sequences.number_of(places);
    for (std::uint32_t node = 0; node < kNumNodes; ++node) {
        occupation.nodes.push_back({node, 0});
        occupation.node_of.insert(occupation.node_of.end(), kNumSeats, node);
    }
    if (mapping == Mapping::kByNode) {
        for (std::uint32_t rank = 0; rank < occupation.node_of.size(); ++rank) {
            occupation.node_of[rank] = rank % kNumNodes;
        }
    } else if (mapping == Mapping::kShuffled) {
        std::shuffle(occupation.node_of.begin(), occupation.node_of.end(), std::mt19937(1));
    }
    return {large_facts(), std::move(occupation)};
}

std::size_t bytes_of_last(const AddressTree& world, std::size_t num, std::size_t stride) {
    std::vector<std::uint32_t> ranks(num);
    for (std::size_t i = 0; i < num; ++i) {
        ranks[i] = static_cast<std::uint32_t>(world.size() - 1 - (num - 1 - i) * stride);
    }
    const CountedMemory counted;
    const AddressTree tree = world.restrict_to(ranks);
    return counted.kept_bytes();
}

TEST(AddressTree, keeps_little_of_a_large_job) {
    EXPECT_LE(sizeof(AddressTree), 1024U);
    for (const Mapping mapping : {Mapping::kBySlot, Mapping::kByNode, Mapping::kShuffled}) {
        const CountedMemory counted;
        const AddressTree world = large_tree(mapping);
        const std::size_t kept = counted.kept_bytes();  // beside names and values
        EXPECT_LE(kept, mapping == Mapping::kShuffled ? 9400000U : 1500000U);
        const bool is_by_node = mapping == Mapping::kByNode;
        EXPECT_LE(bytes_of_last(world, 1, 1), 1024U);
        if (mapping != Mapping::kShuffled) {
            EXPECT_LE(bytes_of_last(world, kNumSeats, is_by_node ? kNumNodes : 1), 2048U);
            EXPECT_LE(bytes_of_last(world, kNumNodes, is_by_node ? 1 : kNumSeats), 40U * kNumNodes);
        }
    }
}

}  // namespace
}  // namespace hitopo
