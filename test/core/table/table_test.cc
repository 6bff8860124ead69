// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/table.h"

#include <gtest/gtest.h>

#include <numeric>

#include "test/core/exchange/fake_job.h"
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
                              .says(component, kCluster, name("cluster", 0))
                              .says(component, kIsland, name("island", 2))
                              .says(component, kSwitch, name("switch", 2 + node / 4))
                              .says(component, kNode, name("node", node))
                              .has(make_machine({4, 1, 1, 4}))
                              .runs_on(std::to_string(core)));
        }
    }
    return job;
}

// Socket 3, core 2 of node4, which is at switch3.
constexpr std::size_t kWikiRank = 4 * 16 + 3 * 4 + 2;

TEST(Table, the_wikis_example) {
    EXPECT_EQ(address_of(table_of(wiki_job("slurm", false)), kWikiRank), "0.0.1.4.0.3.2.0");
    EXPECT_EQ(address_of(table_of(wiki_job("slurm", true)), kWikiRank), "0.0.1.4.0.3.2.0");
}

TEST(Table, the_wikis_example_with_every_level_told_by_one_file) {
    FakeJob job = wiki_job("file", true);
    for (std::size_t rank = 0; rank < job.size(); ++rank) {
        job[rank]
            .says("file", kL2Numa, Name::number(0))
            .says("file", kSocket, Name::number(rank % 16 / 4))
            .says("file", kCore, Name::number(rank % 4));
    }
    EXPECT_EQ(address_of(table_of(job), kWikiRank), "0.0.1.4.0.3.2.0");
}

TEST(Table, numbers_only_what_the_communicator_has) {
    const Table world = table_of(wiki_job("slurm", false));
    const Table two = world.restrict_to({kWikiRank, kWikiRank + 9 * 16 + 1});
    EXPECT_EQ(address_of(two, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(two, 1), "0.0.1.1.0.0.1.0");
}

// ---- who knows ----

TEST(Table, a_level_that_nobody_knows_is_0_for_all) {
    const Table table = table_of({on_host("a"), on_host("b")});
    EXPECT_EQ(address_of(table, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(table, 1), "0.0.0.1.0.0.0.0");
    EXPECT_EQ(table.known(kSwitch), Table::Known::kNone);
    EXPECT_EQ(table.num_distinct(kSwitch), 0);
    EXPECT_EQ(table.known(kHwThread), Table::Known::kNone);
}

TEST(Table, where_some_know_a_level_the_others_are_unknown) {
    const Table table = table_of({on_host("a"), on_host("b").says("slurm", kSwitch, Name("s")),
                                  on_host("c").says("slurm", kSwitch, Name("t")),
                                  on_host("c").has(make_machine({2})).runs_on("1")});
    EXPECT_EQ(values_of(table, kSwitch), (Ints{-1, 0, 1, 1}));
    EXPECT_EQ(address_of(table, 0), "0.0.-1.0.-1.-1.-1.-1");
    EXPECT_EQ(address_of(table, 3), "0.0.1.2.0.0.0.0");
    EXPECT_EQ(table.known(kSwitch), Table::Known::kSome);
    EXPECT_EQ(table.num_distinct(kSwitch), 2);
}

TEST(Table, each_communicator_knows_what_its_own_members_know) {
    const Table world = table_of({on_host("a"), on_host("b").says("slurm", kSwitch, Name("s"))});
    EXPECT_EQ(world.restrict_to({0}).known(kSwitch), Table::Known::kNone);
    EXPECT_EQ(address_of(world.restrict_to({0}), 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(world.restrict_to({1}).known(kSwitch), Table::Known::kAll);
}

// ---- inside a node ----

TEST(Table, one_sockets_process_unbound) {
    FakeProcess first = on_host("n1").has(make_machine({2, 1, 1, 2})).runs_on("0");
    const Table table = table_of(
        {first, on_host("n1").runs_on("1"), on_host("n1").runs_on("2-3"), on_host("n1").runs_on("0-3")});
    EXPECT_EQ(address_of(table, 0), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(table, 1), "0.0.0.0.0.0.1.0");
    EXPECT_EQ(address_of(table, 2), "0.0.0.0.0.1.-1.-1") << "bound to a socket";
    EXPECT_EQ(address_of(table, 3), "0.0.0.0.0.-1.-1.-1") << "bound to none";
}

TEST(Table, unequal_nodes) {
    const Table table = table_of({on_host("fat").has(make_machine({2, 1, 1, 4})).runs_on("7"),
                                  on_host("thin").has(make_machine({1, 1, 1, 2})).runs_on("1"),
                                  on_host("thin").runs_on("0")});
    EXPECT_EQ(values_of(table, kSocket), (Ints{1, 0, 0}));
    EXPECT_EQ(values_of(table, kCore), (Ints{2, 1, 0})) << "cores 3, 1 and 0 of their sockets";
}

TEST(Table, hwthread_numbers_the_processes_of_a_core_by_thread_then_rank) {
    const FakeMachine machine = make_machine({1, 1, 1, 2, 2});
    const Table table =
        table_of({on_host("n").runs_on("0-1"), on_host("n").runs_on("1"), on_host("n").runs_on("0"),
                  on_host("n").runs_on("0-1").has(machine), on_host("n").runs_on("1"),
                  on_host("n").runs_on("3"), on_host("n").runs_on("0-3")});
    EXPECT_EQ(values_of(table, kHwThread), (Ints{3, 1, 0, 4, 2, 0, -1}));
    EXPECT_EQ(table.num_distinct(kHwThread), 5);
}

TEST(Table, processes_of_a_machine_without_packages_are_numbered_on_their_core) {
    FakeMachine machine = make_machine({1, 1, 1, 3, 2});
    machine.types.erase("Package");
    const Table table = table_of({on_host("n").runs_on("2-3").has(machine), on_host("n").runs_on("2"),
                                  on_host("n").runs_on("5")});
    EXPECT_EQ(address_of(table, 0), "0.0.0.0.0.0.0.1");
    EXPECT_EQ(address_of(table, 1), "0.0.0.0.0.0.0.0");
    EXPECT_EQ(address_of(table, 2), "0.0.0.0.0.0.1.0");
}

TEST(Table, boards_of_two_packages_are_l2numa) {
    FakeMachine machine = make_machine({4});
    machine.types["Group"] = {{0, 1}, {2, 3}};
    const Table table = table_of({on_host("n").runs_on("3").has(machine), on_host("n").runs_on("0-1"),
                                  on_host("n").runs_on("1-2")});
    EXPECT_EQ(values_of(table, kL2Numa), (Ints{1, 0, -1}));
    EXPECT_EQ(values_of(table, kSocket), (Ints{0, -1, -1})) << "socket 3 is the only one known";
}

TEST(Table, a_simulated_job_on_one_host) {
    FakeJob job;
    for (int rank = 0; rank < 8; ++rank) {
        job.push_back(
            on_host("laptop").simulates_node(Name("sim" + std::to_string(rank / 4))).is_bound("core"));
    }
    job[5].has(make_machine({2, 1, 1, 2}));
    const Table table = table_of(job);
    EXPECT_EQ(values_of(table, kNode), (Ints{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(values_of(table, kSocket), (Ints{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(values_of(table, kCore), (Ints{0, 1, 0, 1, 0, 1, 0, 1}));
}

// ---- explicit values ----

TEST(Table, explicit_cores_are_numbered_among_siblings) {
    const auto process = [](const char* host, const char* socket, const char* core) {
        return on_host(host).says("file", kSocket, Name(socket)).says("file", kCore, Name(core));
    };
    const Table table = table_of({process("a", "left", "c9"), process("a", "left", "c10"),
                                  process("a", "right", "c10"), process("b", "right", "c1")});
    EXPECT_EQ(values_of(table, kSocket), (Ints{0, 0, 1, 0}));
    EXPECT_EQ(values_of(table, kCore), (Ints{0, 1, 0, 0}));
}

TEST(Table, one_component_fills_socket_core_and_hwthread_together) {
    const Table table = table_of(
        {on_host("n").has(make_machine({2, 1, 1, 2})).runs_on("0").says("file", kSocket, Name("s"))});
    EXPECT_EQ(table.known(kSocket), Table::Known::kAll);
    EXPECT_EQ(table.known(kCore), Table::Known::kNone)
        << "hwloc's core does not stand beside file's socket";
    EXPECT_EQ(table.known(kL2Numa), Table::Known::kAll);
}

// ---- shape ----

TEST(Table, lists_the_members_of_each_node_by_rank) {
    const Table table = table_of({on_host("b"), on_host("a"), on_host("b"), on_host("a")});
    ASSERT_EQ(table.num_nodes(), 2U);
    EXPECT_EQ(table.members(), (std::vector<std::vector<std::uint32_t>>{{1, 3}, {0, 2}}));
    EXPECT_EQ(table.node_info(0).name, "a");
    EXPECT_EQ(table.node(0).name, "b");
}

TEST(Table, of_an_empty_communicator_has_no_node) {
    const Table table = table_of({on_host("a")}).restrict_to({});
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.num_nodes(), 0U);
}

TEST(Table, a_process_can_stand_twice) {
    const Table table = table_of({on_host("a").has(make_machine({})).runs_on("0")}).restrict_to({0, 0});
    EXPECT_EQ(values_of(table, kHwThread), (Ints{0, 1}));
}

// ---- memory of communicators in a large job ----

constexpr std::uint32_t kNumNodes = 20000, kNumSeats = 50;

// 20 nodes a switch, 25 switches an island; all nodes are occupied alike.
std::shared_ptr<const Dictionary> large_dictionary() {
    DictionaryDraft draft;
    draft.machines.push_back(*Machine::decode(make_machine({2, 1, 1, 25}).encoded()));
    for (std::uint32_t core = 0; core < kNumSeats; ++core) {
        Pattern pattern;
        pattern.cpus.add(static_cast<int>(core));
        pattern.placement = place(draft.machines[0], pattern.cpus);
        draft.patterns.push_back(std::move(pattern));
    }
    for (std::uint32_t number = 0; number < kNumNodes; ++number) {
        NodeInfo node;
        node.name = "n" + std::to_string(number);
        node.machine = 0;
        const auto value = static_cast<std::int32_t>(number);
        node.values = {0, value / 500, value / 20};
        node.first_cohort = number;
        draft.nodes.push_back(std::move(node));
        draft.cohorts.push_back({number});
    }
    draft.values[kCluster].resize(1);
    draft.values[kIsland].resize(kNumNodes / 500);
    draft.values[kSwitch].resize(kNumNodes / 20);
    return std::make_shared<const Dictionary>(std::move(draft));
}

Table large_table(bool is_by_node) {
    Occupancy occupancy;
    std::vector<std::uint32_t> patterns(kNumSeats);
    std::iota(patterns.begin(), patterns.end(), 0U);
    const std::uint32_t number = occupancy.patterns.number_of(patterns);
    for (std::uint32_t node = 0; node < kNumNodes; ++node) {
        Occupancy::Node own;
        own.node = node;
        own.patterns = number;
        own.ranks.add(is_by_node ? RankRun{node, kNumNodes, kNumSeats}
                                 : RankRun{node * kNumSeats, 1, kNumSeats});
        occupancy.nodes.push_back(std::move(own));
    }
    occupancy.num_processes = std::size_t{kNumNodes} * kNumSeats;
    return Table(large_dictionary(), occupancy);
}

// Beside the object's own; the highest ranks, which have all nodes before them.
struct Memory {
    std::size_t kept, peak;
};
Memory memory_of_last(const Table& world, std::size_t num, std::size_t stride) {
    std::vector<std::uint32_t> ranks(num);
    for (std::size_t i = 0; i < num; ++i) {
        ranks[i] = static_cast<std::uint32_t>(world.size() - 1 - (num - 1 - i) * stride);
    }
    const CountedMemory counted;
    const Table table = world.restrict_to(ranks);
    return {counted.kept_bytes(), counted.peak_bytes()};
}

TEST(Table, of_a_communicator_keeps_little_in_a_large_job) {
    EXPECT_LE(sizeof(Table), 1024U);
    for (const bool is_by_node : {false, true}) {
        const Table world = large_table(is_by_node);
        const std::size_t own_node = is_by_node ? kNumNodes : 1;
        const std::size_t other_nodes = is_by_node ? 1 : kNumSeats;
        const Memory one = memory_of_last(world, 1, 1);
        const Memory node = memory_of_last(world, kNumSeats, own_node);
        const Memory one_a_node = memory_of_last(world, kNumNodes, other_nodes);
        const Memory all = memory_of_last(world, world.size(), 1);
        EXPECT_LE(one.kept, 512U);
        EXPECT_LE(one.peak, 4096U) << "not in proportion to the job";
        EXPECT_LE(node.kept, 1536U);
        EXPECT_LE(node.peak, 16384U);
        EXPECT_LE(one_a_node.kept, 3072U);
        EXPECT_LE(all.kept, 3072U);
    }
}

}  // namespace
}  // namespace hitopo
