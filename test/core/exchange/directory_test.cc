// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// make_directory: which names stand in which order, how levels nest, and what the job is told.
#include <gtest/gtest.h>

#include <algorithm>

#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

// Its indices into the dictionary.
Process place_of(const Directory& directory, std::size_t rank) {
    for (const Occupancy::Node& node : directory.occupancy.nodes) {
        const std::vector<std::uint32_t> ranks = node.ranks.to_vector();
        const auto own = std::find(ranks.begin(), ranks.end(), rank);
        if (own != ranks.end()) {
            const std::uint32_t* patterns = directory.occupancy.patterns.begin(node.patterns);
            return {node.node, patterns[own - ranks.begin()]};
        }
    }
    throw std::out_of_range("nobody has that rank");
}

DictionaryDraft dictionary_of(const FakeJob& job) { return gather(job).directory.dictionary; }

std::vector<std::string> names_of(const FakeJob& job, Level level) {
    std::vector<std::string> names;
    const DictionaryDraft dictionary = dictionary_of(job);
    for (const LevelValue& value : dictionary.values[level]) {
        names.push_back(value.component + ":" + value.value.to_string());
    }
    return names;
}

std::vector<std::string> node_names_of(const FakeJob& job) {
    std::vector<std::string> names;
    const DictionaryDraft dictionary = dictionary_of(job);
    for (const NodeInfo& node : dictionary.nodes) {
        names.push_back(node.name);
    }
    return names;
}

bool has_warning(const DictionaryDraft& dictionary, const std::string& words) {
    return std::any_of(dictionary.warnings.begin(), dictionary.warnings.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

using Strings = std::vector<std::string>;

// A node of its own for each value.
FakeJob job_of(const char* component, Level level, const std::vector<RawValue>& values) {
    FakeJob job;
    for (const RawValue& value : values) {
        job.push_back(on_host("n" + std::to_string(job.size())).says(component, level, value));
    }
    return job;
}

// ---- order ----

TEST(Directory, numbers_stand_before_names_names_in_natural_order_ties_by_bytes) {
    const FakeJob job = job_of("slurm", kSwitch,
                               {Name("n12"), Name("n4"), Name::number(12), Name("n04"), Name("-"),
                                Name::number(4), Name("3"), Name("N4"), Name("n4")});
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"slurm:4", "slurm:12", "slurm:-", "slurm:3", "slurm:N4",
                                               "slurm:n04", "slurm:n4", "slurm:n12"}));
}

TEST(Directory, values_stand_by_priority_then_component_then_value) {
    FakeJob job = job_of("slurm", kSwitch, {Name("a"), Name("b")});
    job.push_back(on_host("x").says("openib", kSwitch, Name("a")));
    job.push_back(on_host("y").says("file", kSwitch, Name("z")));
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"file:z", "slurm:a", "slurm:b", "openib:a"}));
    for (FakeProcess& process : job) {
        for (ComponentAnswer& answer : process.answers) {
            answer.priority = 50;
        }
    }
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"file:z", "openib:a", "slurm:a", "slurm:b"}));
}

TEST(Directory, relative_names_are_one_only_with_their_whole_path) {
    const auto chassis = [](const char* host, const char* rack) {
        FakeProcess process = on_host(host);
        RawAddress address;
        address[kIsland] = Name(rack);
        address[kSwitch] = Name::number(3);
        make_relative(address);
        return process.says("hostname", kIsland, *address[kIsland])
            .says("hostname", kSwitch, *address[kSwitch]);
    };
    EXPECT_EQ(names_of({chassis("a", "r1"), chassis("b", "r2"), chassis("c", "r1")}, kSwitch),
              (Strings{"hostname:r1/3", "hostname:r2/3"}));
}

TEST(Directory, global_names_are_one_wherever_they_stand) {
    const FakeJob job = {
        on_host("a").says("slurm", kIsland, Name("i1")).says("slurm", kSwitch, Name("s")),
        on_host("b").says("slurm", kSwitch, Name("s"))};
    EXPECT_EQ(names_of(job, kSwitch), (Strings{"slurm:s"}));
}

TEST(Directory, nodes_stand_by_the_name_that_people_see) {
    EXPECT_EQ(node_names_of({on_host("node12"), on_host("node4"), on_host("node04"), on_host("login")}),
              (Strings{"login", "node04", "node4", "node12"}));
    const FakeJob named = {on_host("a").says("slurm", kNode, Name("z")),
                           on_host("b").says("slurm", kNode, Name("y"))};
    EXPECT_EQ(node_names_of(named), (Strings{"y", "z"}));
    const FakeJob numbered = job_of("slurm", kNode, {Name("2b"), Name("+"), Name::number(12)});
    EXPECT_EQ(node_names_of(numbered), (Strings{"12", "+", "2b"}));
}

TEST(Directory, nodes_of_one_name_stand_by_their_path) {
    const FakeJob job = {on_host("a").says("file", kNode, {{"r10", "n1"}}),
                         on_host("b").says("file", kNode, {{"r9", "n1"}})};
    const Gathered all = gather(job);
    EXPECT_EQ(place_of(all.directory, 0).node, 1U);
    EXPECT_EQ(place_of(all.directory, 1).node, 0U);
}

TEST(Directory, one_host_name_with_two_boot_ids_is_two_nodes_in_an_order_of_their_own) {
    const FakeJob job = {on_host("n1", "b1"), on_host("n1", "b2"), on_host("n1", "b1")};
    const FakeJob turned = {job[1], job[0], job[2]};
    const Directory directory = gather(job).directory;
    EXPECT_EQ(place_of(directory, 0).node, place_of(directory, 2).node);
    EXPECT_NE(place_of(directory, 0).node, place_of(directory, 1).node);
    EXPECT_EQ(place_of(gather(turned).directory, 0).node, place_of(directory, 1).node);
}

// ---- nesting ----

std::string island_of(const DictionaryDraft& dictionary, std::size_t node, Level level = kIsland) {
    const std::int32_t value = dictionary.nodes[node].values[level];
    return value < 0 ? "" : dictionary.values[level][static_cast<std::size_t>(value)].value.to_string();
}

FakeProcess in_island(const char* host, const char* leaf, const char* island) {
    return on_host(host).says("slurm", kSwitch, Name(leaf)).says("openib", kIsland, Name(island));
}

TEST(Directory, a_switch_in_two_islands_is_in_the_one_that_the_lowest_rank_knows) {
    const DictionaryDraft dictionary =
        dictionary_of({on_host("n0").says("slurm", kSwitch, Name("s1")), in_island("n1", "s1", "i7"),
                       in_island("n2", "s1", "i3"), in_island("n3", "s2", "i3")});
    EXPECT_EQ(island_of(dictionary, 0), "i7") << "learned from its switch";
    EXPECT_EQ(island_of(dictionary, 1), "i7");
    EXPECT_EQ(island_of(dictionary, 2), "i7");
    EXPECT_EQ(island_of(dictionary, 3), "i3");
    ASSERT_EQ(dictionary.warnings.size(), 1U);
    EXPECT_NE(dictionary.warnings[0].find("switch s1 is in several islands"), std::string::npos);
    EXPECT_NE(dictionary.warnings[0].find("check the component slurm"), std::string::npos);
}

TEST(Directory, a_cluster_is_learned_from_the_switch_where_nobody_knows_the_island) {
    const DictionaryDraft dictionary = dictionary_of(
        {on_host("n0").says("slurm", kSwitch, Name("s")),
         on_host("n1").says("slurm", kSwitch, Name("s")).says("slurm", kCluster, Name("c"))});
    EXPECT_EQ(island_of(dictionary, 0, kCluster), "c");
}

TEST(Directory, of_an_islands_clusters_the_one_that_the_lowest_rank_knows_stands) {
    const DictionaryDraft dictionary = dictionary_of(
        {in_island("n0", "s1", "i1"), in_island("n1", "s2", "i1").says("slurm", kCluster, Name("c1")),
         in_island("n2", "s1", "i1").says("slurm", kCluster, Name("c2"))});
    for (std::size_t node = 0; node < 3; ++node) {
        EXPECT_EQ(island_of(dictionary, node, kCluster), "c1") << node;
    }
}

TEST(Directory, a_cluster_is_learned_from_the_island) {
    const DictionaryDraft dictionary = dictionary_of(
        {in_island("n0", "s1", "i1"), in_island("n1", "s2", "i1").says("slurm", kCluster, Name("c"))});
    EXPECT_EQ(island_of(dictionary, 0, kCluster), "c");
    EXPECT_TRUE(dictionary.warnings.empty());
}

// ---- inside a node ----

const Placement& placement_of(const Directory& directory, std::size_t rank) {
    return directory.dictionary.patterns[place_of(directory, rank).pattern].placement;
}

TEST(Directory, binding_rules_count_the_processes_of_a_node) {
    const FakeProcess a = on_host("a").has(make_machine({1, 1, 1, 4})).is_bound("core");
    const FakeProcess b = on_host("b").has(make_machine({1, 1, 1, 4})).is_bound("core");
    const Directory directory = gather({a, b, a, a, b, a, a}).directory;
    const std::vector<int> cores = {0, 0, 1, 2, 1, 3, 0};
    for (std::size_t rank = 0; rank < cores.size(); ++rank) {
        EXPECT_EQ(placement_of(directory, rank)[kCore], cores[rank]) << rank;
    }
    EXPECT_EQ(directory.dictionary.patterns.size(), 5U) << "equal machines share their places";
}

TEST(Directory, equal_places_are_one_pattern) {
    FakeJob job;
    for (int rank = 0; rank < 64; ++rank) {
        job.push_back(on_host("n" + std::to_string(rank / 8))
                          .has(make_machine({2, 1, 1, 4}))
                          .runs_on(std::to_string(rank % 8)));
    }
    EXPECT_EQ(dictionary_of(job).patterns.size(), 8U);
    EXPECT_EQ(dictionary_of(job).machines.size(), 1U);
}

// Simulated nodes of 2 processes each that tell their places by the same words, under a rule: `b` is
// the second core of one node and the first of another.
TEST(Directory, explicit_values_of_different_nodes_are_never_mixed_up) {
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
                              .says("file", kCore, Name(word)));
            cores.push_back(word == std::min(first, second) ? 0 : 1);
        }
    }
    const Directory directory = gather(job).directory;
    for (std::size_t rank = 0; rank < job.size(); ++rank) {
        ASSERT_EQ(placement_of(directory, rank)[kCore], cores[rank]) << rank;
    }
}

TEST(Directory, a_process_without_explicit_values_is_unknown_where_its_node_has_some) {
    const FakeProcess plain = on_host("a").has(make_machine({2})).runs_on("0");
    FakeProcess other = plain, told = plain;
    other.facts.host_name = told.facts.host_name = "b";
    told.says("file", kSocket, Name("x"));
    const Directory directory = gather({plain, other, told, told}).directory;
    EXPECT_EQ(placement_of(directory, 0)[kSocket], 0);
    EXPECT_EQ(placement_of(directory, 1)[kSocket], -1);
    EXPECT_EQ(placement_of(directory, 2)[kSocket], 0);
}

TEST(Directory, explicit_threads_are_numbered_among_those_of_their_core) {
    const auto process = [](const char* core, const char* thread) {
        return on_host("n").says("file", kCore, Name(core)).says("file", kHwThread, Name(thread));
    };
    const Directory directory =
        gather({process("a", "t2"), process("a", "t10"), process("b", "t10"), process("b", "t11")})
            .directory;
    const std::vector<int> threads = {0, 1, 0, 1};
    for (std::size_t rank = 0; rank < threads.size(); ++rank) {
        EXPECT_EQ(placement_of(directory, rank)[kHwThread], threads[rank]) << rank;
    }
}

TEST(Directory, cpus_that_the_machine_lacks_are_a_warning_and_unknown) {
    const Directory directory = gather({on_host("n1").has(make_machine({1, 1, 1, 4})).runs_on("0"),
                                        on_host("n1").runs_on("3-4"), on_host("n1")})
                                    .directory;
    EXPECT_TRUE(placement_of(directory, 0).is_covered);
    EXPECT_FALSE(placement_of(directory, 1).is_covered);
    EXPECT_FALSE(placement_of(directory, 2).is_covered);
    EXPECT_TRUE(has_warning(directory.dictionary, "rank 1 may run on CPUs 3-4"));
}

TEST(Directory, irregular_cpus_arrive) {
    const char* squares = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289";
    const Directory directory =
        gather({on_host("n1").runs_on(squares), on_host("n2").runs_on(squares)}).directory;
    ASSERT_EQ(directory.dictionary.patterns.size(), 1U);
    EXPECT_EQ(directory.dictionary.patterns[0].cpus, *CpuSet::parse(squares));
}

TEST(Directory, containers_of_one_node_share_it_and_no_memory) {
    FakeProcess first = on_host("n1").has(make_machine({1, 1, 1, 4})).runs_on("0-1");
    FakeProcess other_shm = on_host("n1").runs_on("2-3"), other_ipc = other_shm;
    first.facts.shm_device = other_ipc.facts.shm_device = 5;
    other_shm.facts.shm_device = 6;
    other_ipc.facts.ipc_namespace = 1;
    const Table table = table_of({first, other_shm, other_ipc, first});
    EXPECT_EQ(table.num_nodes(), 1U);
    EXPECT_EQ(table.shared_id(0), table.shared_id(3));
    EXPECT_NE(table.shared_id(0), table.shared_id(1));
    EXPECT_NE(table.shared_id(0), table.shared_id(2));
    EXPECT_NE(table.shared_id(1), table.shared_id(2));
}

TEST(Directory, tells_which_component_fills_the_inside) {
    const FakeProcess process = on_host("n1").has(make_machine({})).runs_on("0");
    EXPECT_EQ(dictionary_of({process}).nodes[0].inner_component, "hwloc");
    const NodeInfo node =
        dictionary_of({FakeProcess(process).says("file", kSocket, Name("left"))}).nodes[0];
    EXPECT_EQ(node.inner_component, "file");
    EXPECT_EQ(node.l2numa_component, "hwloc");
    EXPECT_EQ(dictionary_of({on_host("n1")}).nodes[0].inner_component, "");
}

TEST(Directory, explicit_values_keep_the_names_that_people_see) {
    const DictionaryDraft dictionary =
        dictionary_of({on_host("n1").says("file", kSocket, Name("left"))});
    EXPECT_EQ(dictionary.patterns[0].names[kSocket], "left");
    EXPECT_EQ(dictionary.patterns[0].names[kCore], "");
}

// ---- trouble ----

TEST(Directory, tells_of_disagreement_and_mixed_settings) {
    FakeProcess first = on_host("n1").says("slurm", kSwitch, Name("s1"));
    FakeProcess second = on_host("n1").says("slurm", kSwitch, Name("s2"));
    second.facts.settings = "other";
    const DictionaryDraft dictionary = dictionary_of({first, second});
    EXPECT_TRUE(
        has_warning(dictionary, "ranks 0 and 1 of one node give different values of the level switch"));
    EXPECT_TRUE(has_warning(dictionary, "different settings of HiTopo"));
    EXPECT_EQ(island_of(dictionary, 0, kSwitch), "s1");
}

TEST(Directory, has_a_few_warnings_however_much_is_wrong) {
    FakeJob job = {on_host("n1").has(make_machine({}))};
    for (int cpu = 1; cpu < 50; ++cpu) {
        job.push_back(on_host("n1").runs_on(std::to_string(cpu)));
    }
    job.back().facts.settings = "other";
    const DictionaryDraft dictionary = dictionary_of(job);
    EXPECT_LE(dictionary.warnings.size(), 8U);
    EXPECT_TRUE(has_warning(dictionary, "different settings of HiTopo"));
}

TEST(Directory, a_machine_that_did_not_arrive_costs_what_it_tells) {
    const FakeProcess process = on_host("n1").says("slurm", kSwitch, Name("s1")).has(make_machine({}));
    Contribution said = make_contribution(process.facts, process.answers);
    said.machine.pop_back();
    const Summary summary = Summary::of_group({{0, said}});
    Result<Plan> plan = make_plan(summary, 1);
    const Directory directory = make_directory(summary, *plan, {});
    EXPECT_EQ(directory.dictionary.nodes[0].values[kSwitch], 0);
    EXPECT_TRUE(has_warning(directory.dictionary, "machine arrived damaged"));
}

TEST(Directory, what_leaders_told_and_makes_no_sense_costs_the_island) {
    const FakeJob job = {on_host("n1").leads("openib", Name("0xa"), {"leaf", {1}, "spine", "0x1"})};
    Gathered all = gather(job);
    EXPECT_EQ(all.directory.dictionary.values[kIsland].size(), 1U);
    for (std::size_t length = 0; length < all.led[0].size(); ++length) {
        const DictionaryDraft dictionary =
            make_directory(all.summary, all.plan, {all.led[0].substr(0, length)}).dictionary;
        ASSERT_EQ(dictionary.values[kIsland].size(), 0U);
        ASSERT_EQ(dictionary.values[kSwitch][0].value, RawValue(Name("0xa")));
    }
}

// ---- layers ----

TEST(Directory, tells_which_ranks_have_a_layer) {
    FakeProcess both = on_host("n1"), one = on_host("n2"), none = on_host("n1");
    both.facts.layers = "coll prof version";
    one.facts.layers = "prof version";
    const Dictionary dictionary(dictionary_of({none, both, one, both}));
    EXPECT_EQ(presence_of(dictionary, "coll").present, 1U);
    EXPECT_EQ(presence_of(dictionary, "coll").missing, 0U);
    EXPECT_EQ(presence_of(dictionary, "pro").present, std::nullopt) << "no part of a name";
    const Dictionary everywhere(dictionary_of({both, one, both}));
    EXPECT_EQ(presence_of(everywhere, "prof").missing, std::nullopt);
    EXPECT_EQ(presence_of(everywhere, "prof").present, 0U);
    EXPECT_EQ(presence_of(everywhere, "coll").missing, 1U);
}

}  // namespace
}  // namespace hitopo
