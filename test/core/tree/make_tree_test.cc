// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// make_tree: which names stand in which order, how levels nest, and what the job is told.
// Tests also inner_levels.cc, job_facts.cc and values.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "test/core/tree/fake_tree.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

int node_of(const AddressTree& tree, std::uint32_t rank) { return tree.address(rank)[kNode]; }

std::vector<std::string> names_of(const FakeJob& job, Level level) {
    std::vector<std::string> names;
    const AddressTree tree = tree_of(job);
    for (const NamedValue& value : tree.facts().values[level]) {
        names.push_back(value.component + ":" + value.value.to_string());
    }
    return names;
}

bool has_warning(const AddressTree& tree, const std::string& words) {
    const std::vector<std::string>& warnings = tree.facts().warnings;
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

using Strings = std::vector<std::string>;

// A node of its own for each value.
FakeJob job_of(const char* component, Level level, const std::vector<RawValue>& values) {
    FakeJob job;
    for (const RawValue& value : values) {
        job.push_back(on_host("n" + std::to_string(job.size())).gives(component, level, value));
    }
    return job;
}

// ---- order ----

TEST(MakeTree, values_stand_by_priority_then_component_then_value) {
    FakeJob job = job_of("slurm", kSwitch, {Name("a"), Name("b")});
    job.push_back(on_host("x").gives("openib", kSwitch, Name("a")));
    job.push_back(on_host("y").gives("file", kSwitch, Name("z")));
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"file:z", "slurm:a", "slurm:b", "openib:a"}));
    for (FakeProcess& process : job) {
        for (ComponentAnswer& answer : process.answers) {
            answer.priority = 50;
        }
    }
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"file:z", "openib:a", "slurm:a", "slurm:b"}));
}

TEST(MakeTree, nodes_of_one_name_stand_by_their_path) {
    const FakeJob job = {on_host("a").gives("file", kNode, {{"r10", "n1"}}),
                         on_host("b").gives("file", kNode, {{"r9", "n1"}})};
    const AddressTree tree = tree_of(job);
    EXPECT_EQ(node_of(tree, 0), 1);
    EXPECT_EQ(node_of(tree, 1), 0);
}

TEST(MakeTree, one_host_name_with_two_boot_ids_is_two_nodes_in_an_order_of_their_own) {
    const FakeJob job = {on_host("n1", "b1"), on_host("n1", "b2"), on_host("n1", "b1")};
    const FakeJob turned = {job[1], job[0], job[2]};
    const AddressTree tree = tree_of(job);
    EXPECT_EQ(node_of(tree, 0), node_of(tree, 2));
    EXPECT_NE(node_of(tree, 0), node_of(tree, 1));
    EXPECT_EQ(node_of(tree_of(turned), 0), node_of(tree, 1));
}

// ---- nesting ----

// node: by name.
std::string island_of(const AddressTree& tree, std::size_t node, Level level = kIsland) {
    const std::int32_t value = tree.facts().branch_of(node)[level];
    return value < 0 ? ""
                     : tree.facts().values[level][static_cast<std::size_t>(value)].value.to_string();
}

FakeProcess in_island(const char* host, const char* leaf, const char* island) {
    return on_host(host).gives("slurm", kSwitch, Name(leaf)).gives("openib", kIsland, Name(island));
}

TEST(MakeTree, a_switch_in_two_islands_is_in_the_one_that_the_lowest_rank_knows) {
    const AddressTree tree =
        tree_of({on_host("n0").gives("slurm", kSwitch, Name("s1")), in_island("n1", "s1", "i7"),
                 in_island("n2", "s1", "i3"), in_island("n3", "s2", "i3")});
    EXPECT_EQ(island_of(tree, 0), "i7") << "learned from its switch";
    EXPECT_EQ(island_of(tree, 1), "i7");
    EXPECT_EQ(island_of(tree, 2), "i7");
    EXPECT_EQ(island_of(tree, 3), "i3");
    ASSERT_EQ(tree.facts().warnings.size(), 1U);
    EXPECT_NE(tree.facts().warnings[0].find("switch s1 is in several islands"), std::string::npos);
    EXPECT_NE(tree.facts().warnings[0].find("check the component slurm"), std::string::npos);
}

// ---- inside a node ----

const InstanceNumbers& instance_numbers_of(const AddressTree& tree, std::uint32_t rank) {
    return tree.place(tree.at(rank).seat).instance_numbers;
}

TEST(MakeTree, equal_places_are_one_pattern) {
    FakeJob job;
    for (int rank = 0; rank < 64; ++rank) {
        job.push_back(on_host("n" + std::to_string(rank / 8))
                          .has(make_machine({2, 1, 1, 4}))
                          .runs_on(std::to_string(rank % 8)));
    }
    EXPECT_EQ(tree_of(job).facts().places.size(), 8U);
    EXPECT_EQ(tree_of(job).facts().machines.size(), 1U);
}

// Simulated nodes of 2 processes each that tell their places by the same words, under a rule: `b` is
// the second core of one node and the first of another.
TEST(MakeTree, explicit_values_of_different_nodes_are_never_mixed_up) {
    const std::vector<std::string> words = {"a", "b", "c"};
    FakeJob job;
    std::vector<int> cores;
    for (std::size_t node = 0; node < 200; ++node) {
        const std::string &first = words[node % 3], &second = words[node / 3 % 3];
        for (const std::string& word : {first, second}) {
            job.push_back(on_host("n")
                              .simulates_node(Name::number(node))
                              .has(make_machine({}))
                              .is_bound("none")
                              .gives("file", kCore, Name(word)));
            cores.push_back(word == std::min(first, second) ? 0 : 1);
        }
    }
    const AddressTree tree = tree_of(job);
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        ASSERT_EQ(instance_numbers_of(tree, rank)[kCore], cores[rank]) << rank;
    }
}

// ---- which component ----

TEST(MakeTree, a_level_is_the_components_that_rank_0_names) {
    FakeProcess forcing = on_host("n").gives("slurm", kSwitch, Name("s"));
    forcing.gives("openib", kSwitch, Name("o")).forces(kSwitch, "openib");
    EXPECT_EQ(island_of(tree_of({forcing}), 0, kSwitch), "o");
    FakeProcess other = on_host("n").gives("slurm", kSwitch, Name("s"));
    const AddressTree second = tree_of({other, forcing});
    EXPECT_EQ(island_of(second, 0, kSwitch), "s") << "rank 1's word does not count";
    EXPECT_TRUE(has_warning(second, "hitopo_base_level_switch of rank 1"));
}

TEST(MakeTree, of_equal_priorities_the_lower_name_stands) {
    FakeProcess one = on_host("n").gives("slurm", kSwitch, Name("s"));
    FakeProcess other = on_host("n").gives("openib", kSwitch, Name("o"));
    FakeProcess both = FakeProcess(one).gives("openib", kSwitch, Name("o"));
    for (FakeProcess* process : {&one, &other, &both}) {
        for (ComponentAnswer& answer : process->answers) {
            answer.priority = 50;
        }
    }
    EXPECT_EQ(island_of(tree_of({both}), 0, kSwitch), "o");
    EXPECT_EQ(island_of(tree_of({one, other}), 0, kSwitch), "o");
}

TEST(MakeTree, explicit_threads_are_numbered_among_those_of_their_core) {
    const auto process = [](const char* core, const char* thread) {
        return on_host("n").gives("file", kCore, Name(core)).gives("file", kHwThread, Name(thread));
    };
    const AddressTree tree =
        tree_of({process("a", "t2"), process("a", "t10"), process("b", "t10"), process("b", "t11")});
    const std::vector<int> threads = {0, 1, 0, 1};
    for (std::uint32_t rank = 0; rank < threads.size(); ++rank) {
        EXPECT_EQ(instance_numbers_of(tree, rank)[kHwThread], threads[rank]) << rank;
    }
}

TEST(MakeTree, cpus_that_the_machine_lacks_are_a_warning_and_unknown) {
    const AddressTree tree = tree_of({on_host("n1").has(make_machine({1, 1, 1, 4})).runs_on("0"),
                                      on_host("n1").runs_on("3-4"), on_host("n1")});
    EXPECT_TRUE(instance_numbers_of(tree, 0).is_covered);
    EXPECT_FALSE(instance_numbers_of(tree, 1).is_covered);
    EXPECT_FALSE(instance_numbers_of(tree, 2).is_covered);
    EXPECT_TRUE(has_warning(tree, "rank 1 may run on CPUs 3-4"));
}

TEST(MakeTree, irregular_cpus_arrive) {
    const char* squares = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289";
    const AddressTree tree = tree_of({on_host("n1").runs_on(squares), on_host("n2").runs_on(squares)});
    ASSERT_EQ(tree.facts().places.size(), 1U);
    EXPECT_EQ(tree.facts().places[0].cpus, *CpuSet::parse(squares));
}

TEST(MakeTree, tells_which_component_fills_the_inside) {
    const FakeProcess process = on_host("n1").has(make_machine({})).runs_on("0");
    EXPECT_EQ(tree_of({process}).facts().kinds[0].inner, "hwloc");
    const AddressTree tree = tree_of({FakeProcess(process).gives("file", kSocket, Name("left"))});
    EXPECT_EQ(tree.facts().kinds[0].inner, "file");
    EXPECT_EQ(tree.facts().kinds[0].l2numa, "hwloc");
    EXPECT_EQ(tree_of({on_host("n1")}).facts().kinds[0].inner, "");
}

TEST(MakeTree, explicit_values_keep_the_names_that_people_see) {
    const AddressTree tree = tree_of({on_host("n1").gives("file", kSocket, Name("left"))});
    EXPECT_EQ(tree.facts().places[0].names[kSocket], "left");
    EXPECT_EQ(tree.facts().places[0].names[kCore], "");
}

// ---- trouble ----

TEST(MakeTree, tells_of_disagreement_and_mixed_settings) {
    FakeProcess first = on_host("n1").gives("slurm", kSwitch, Name("s1"));
    FakeProcess second = on_host("n1").gives("slurm", kSwitch, Name("s2"));
    second.facts.settings = {{"hitopo_base_layers", "other"}};
    const AddressTree tree = tree_of({first, second});
    EXPECT_TRUE(
        has_warning(tree, "ranks 0 and 1 of one node give different values of the level switch"));
    EXPECT_TRUE(has_warning(tree, "different settings of HiTopo"));
    EXPECT_EQ(island_of(tree, 0, kSwitch), "s1");
}

TEST(MakeTree, has_a_few_warnings_however_much_is_wrong) {
    FakeJob job = {on_host("n1").has(make_machine({}))};
    for (int cpu = 1; cpu < 50; ++cpu) {
        job.push_back(on_host("n1").runs_on(std::to_string(cpu)));
    }
    job.back().facts.settings = {{"hitopo_base_layers", "other"}};
    const AddressTree tree = tree_of(job);
    EXPECT_LE(tree.facts().warnings.size(), 8U);
    EXPECT_TRUE(has_warning(tree, "different settings of HiTopo"));
}

TEST(MakeTree, a_machine_that_did_not_arrive_costs_what_it_tells) {
    RecordMessage message = message_of(
        {on_host("n1").gives("slurm", kSwitch, Name("s1")).has(make_machine({})).runs_on("0")}, {0});
    message.machines[0].pop_back();
    const AddressTree tree = *make_tree(message, 1, 1);
    EXPECT_EQ(island_of(tree, 0, kSwitch), "s1");
    EXPECT_TRUE(has_warning(tree, "machine arrived damaged"));
}

TEST(MakeTree, refuses_a_rank_that_is_there_twice_or_never) {
    const RecordMessage message = message_of({on_host("n1"), on_host("n2")}, {0, 1});
    EXPECT_TRUE(make_tree(message, 2, 1));
    RecordMessage twice = message;
    twice.records.push_back(twice.records[1]);
    EXPECT_EQ(make_tree(twice, 2, 1).error().value, "rank 1");
    RecordMessage missing = message;
    missing.records.pop_back();
    EXPECT_EQ(make_tree(missing, 2, 1).error().code, Errc::kDisagree);
}

int allocations_left = 0;

TEST(MakeTree, throws_whichever_allocation_fails) {
    const FakeJob job = {
        on_host("n1").gives("slurm", kSwitch, Name("s")).has(make_machine({})).runs_on("0"),
        on_host("n2").gives("file", kSocket, Name("x")).shares("file", "a://B", Name("d"))};
    const RecordMessage message = message_of(job, {0, 1});
    bool is_made = false;
    for (int num = 0; !is_made; ++num) {
        allocations_left = num;
        may_allocate = [] { return allocations_left-- > 0; };
        try {
            is_made = static_cast<bool>(make_tree(message, 2, 1));
        } catch (const std::bad_alloc&) {
        }
        may_allocate = nullptr;
        ASSERT_LT(num, 5000);
    }
}

TEST(MakeTree, uplinks_that_make_no_sense_cost_the_island) {
    const FakeJob job = {on_host("n1").leads("openib", Name("0xa"), {"leaf", {1}, "spine", "0x1"})};
    RecordMessage message = message_of(job, {0});
    EXPECT_EQ(make_tree(message, 1, 1)->facts().values[kIsland].size(), 1U);
    const std::string told = message.uplinks[0];
    for (std::size_t length = 0; length < told.size(); ++length) {
        message.uplinks[0] = told.substr(0, length);
        const AddressTree tree = *make_tree(message, 1, 1);
        ASSERT_EQ(tree.facts().values[kIsland].size(), 0U);
        ASSERT_EQ(tree.facts().values[kSwitch][0].value, RawValue(Name("0xa")));
    }
}

TEST(MakeTree, tells_which_ranks_say_a_word) {
    FakeProcess both = on_host("n1"), one = on_host("n2"), none = on_host("n1"), other = on_host("n2");
    both.facts.settings = {{"coll", "7"}, {"prof", ""}};
    one.facts.settings = {{"prof", ""}};
    other.facts.settings = {{"coll", "8"}, {"prof", ""}};
    const AddressTree tree = tree_of({none, both, one, both});
    EXPECT_EQ(ranks_of_setting(tree.facts(), "coll").having, 1U);
    EXPECT_EQ(ranks_of_setting(tree.facts(), "coll").lacking, 0U);
    EXPECT_EQ(ranks_of_setting(tree.facts(), "coll").differing, 1U);
    EXPECT_EQ(ranks_of_setting(tree.facts(), "pro").having, std::nullopt) << "no part of a key";
    EXPECT_EQ(ranks_of_setting(tree.facts(), "pro").lacking, 0U);
    EXPECT_TRUE(tree.facts().warnings.empty());
    const AddressTree everywhere = tree_of({both, both, one, other, one});
    EXPECT_EQ(ranks_of_setting(everywhere.facts(), "prof").lacking, std::nullopt);
    EXPECT_EQ(ranks_of_setting(everywhere.facts(), "prof").differing, std::nullopt);
    EXPECT_EQ(ranks_of_setting(everywhere.facts(), "prof").having, 0U);
    EXPECT_EQ(ranks_of_setting(everywhere.facts(), "coll").lacking, 2U);
    EXPECT_EQ(ranks_of_setting(everywhere.facts(), "coll").differing, 2U);
    EXPECT_EQ(ranks_of_setting(tree_of({both, both, other}).facts(), "coll").differing, 2U);
}

}  // namespace
}  // namespace hitopo
