// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/contribution.h"

#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/cards.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

Contribution contribution_of(const FakeProcess& process) {
    return make_contribution(process.facts, process.answers);
}

// What arrives of it.
struct Read {
    Names names;
    NodeCard node;
    ProcessCards cards;

    const ProcessCard& process() const { return cards[0]; }
    const Place& place() const { return cards.place(0); }
    std::string component(Level level, std::size_t slot) const {
        return names.component_name(candidate(level, slot).component);
    }
    RawValue value(Level level, std::size_t slot) const {
        return names.value_of(candidate(level, slot).value);
    }
    const Candidate& candidate(Level level, std::size_t slot) const {
        return level > kNode ? place().inner[level][slot] : node.network[level][slot];
    }
};
Read read(const FakeProcess& process) {
    const Contribution said = contribution_of(process);
    Read all;
    all.node = read_node_card(said.node_card, all.names);
    all.cards.add(said.process_card, all.names);
    return all;
}

// ---- the node ----

TEST(Contribution, node_is_host_name_and_boot_id) {
    const NodeCard record = read(on_host("n1", "b1")).node;
    EXPECT_EQ(record.node_id, read(on_host("n1", "b1").says("slurm", kNode, Name("x"))).node.node_id);
    EXPECT_NE(record.node_id, read(on_host("n1", "b2")).node.node_id);
    EXPECT_NE(record.node_id, read(on_host("n1", "")).node.node_id);
    EXPECT_NE(record.node_id, read(on_host("n1b", "1")).node.node_id);
    EXPECT_EQ(record.host_id, record.node_id);
}

TEST(Contribution, a_simulated_node_replaces_the_identity_and_leaves_the_host) {
    const NodeCard real = read(on_host("n1")).node;
    const NodeCard simulated = read(on_host("n1").simulates_node(Name("a"))).node;
    EXPECT_NE(simulated.node_id, real.node_id);
    EXPECT_EQ(simulated.host_id, real.host_id);
    EXPECT_EQ(simulated.node_id, read(on_host("n2").simulates_node(Name("a"))).node.node_id);
    EXPECT_NE(simulated.node_id, read(on_host("n1").simulates_node({{"r1", "a"}})).node.node_id);
}

TEST(Contribution, any_priority_can_simulate_a_node) {
    FakeProcess process = on_host("n1").simulates_node(Name("a"));
    process.answer_of("file").priority = -5;
    EXPECT_NE(read(process).node.node_id, read(on_host("n1")).node.node_id);
}

// ---- candidates ----

TEST(Contribution, two_candidates_of_each_level_highest_priority_first) {
    const Read record = read(on_host("n1")
                                 .says("hostname", kSwitch, Name("h"))
                                 .says("openib", kSwitch, Name("o"))
                                 .says("slurm", kSwitch, Name("s")));
    EXPECT_EQ(record.component(kSwitch, 0), "slurm");
    EXPECT_EQ(record.value(kSwitch, 0), RawValue(Name("s")));
    EXPECT_EQ(record.candidate(kSwitch, 0).priority, 50);
    EXPECT_EQ(record.component(kSwitch, 1), "openib");
    EXPECT_EQ(record.component(kIsland, 0), "");
}

TEST(Contribution, the_forced_component_stands_before_all_priorities) {
    const Read record = read(on_host("n1")
                                 .says("hostname", kSwitch, Name("h"))
                                 .says("openib", kSwitch, Name("o"))
                                 .says("slurm", kSwitch, Name("s"))
                                 .forces(kSwitch, "hostname"));
    EXPECT_EQ(record.component(kSwitch, 0), "hostname");
    EXPECT_EQ(record.component(kSwitch, 1), "slurm");
    EXPECT_EQ(record.names.component_name(record.process().forced[kSwitch]), "hostname");
    EXPECT_EQ(record.process().forced[kIsland], 0U);
}

TEST(Contribution, the_frameworks_host_name_stands_last) {
    FakeProcess process = on_host("n1").says("hostname", kNode, Name("seen"));
    process.answer_of("hostname").priority = -100;
    const Read record = read(process);
    EXPECT_EQ(record.component(kNode, 0), "hostname");
    EXPECT_EQ(record.component(kNode, 1), kFrameworkComponent);
}

TEST(Contribution, values_arrive_whole) {
    const RawValue path({Name("c1"), Name::number(7), Name("i2")});
    const Read all =
        read(on_host("n1").says("slurm", kIsland, path).says("file", kCore, Name::number(3)));
    EXPECT_EQ(all.value(kIsland, 0), path);
    EXPECT_EQ(all.component(kIsland, 0), "slurm");
    EXPECT_EQ(all.value(kCore, 0), RawValue(Name::number(3)));
    EXPECT_TRUE(all.place().has_values);
    EXPECT_FALSE(read(on_host("n1")).place().has_values);
}

TEST(Contribution, cut_cards_are_read_as_far_as_they_make_sense) {
    const Contribution said = contribution_of(on_host("n1")
                                                  .says("slurm", kSwitch, Name("s"))
                                                  .says("file", kCore, Name("x"))
                                                  .has(make_machine({}))
                                                  .runs_on("0-3"));
    for (std::size_t length = 0; length < said.node_card.size(); ++length) {
        Names names;
        const NodeCard card = read_node_card(said.node_card.substr(0, length), names);
        ASSERT_TRUE(card.network[kNode][0].component == 0 || card.network[kNode][0].is_named);
    }
    for (std::size_t length = 0; length < said.process_card.size(); ++length) {
        Names names;
        ProcessCards cards;
        cards.add(said.process_card.substr(0, length), names);
        ASSERT_EQ(cards.size(), 1U);
    }
}

TEST(Contribution, a_component_may_lead_whose_switch_has_uplinks) {
    const Read all = read(on_host("n1").may_lead("openib", Name("0xa"), 4));
    EXPECT_EQ(all.names.component_name(all.node.uplinks_component), "openib");
    EXPECT_TRUE(all.candidate(kSwitch, 0).is_named);
    EXPECT_TRUE(all.candidate(kSwitch, 0).is_for_node);
    EXPECT_EQ(all.value(kIsland, 0), all.value(kSwitch, 0)) << "it stands for its island";
    EXPECT_FALSE(all.candidate(kIsland, 0).is_named);
    EXPECT_EQ(read(on_host("n1")).node.uplinks_component, 0U);
}

// ---- CPUs ----

TEST(Contribution, cpus_arrive_however_irregular) {
    for (const char* cpus : {"", "0", "0-62:2,128-191", "65535",
                             "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289"}) {
        EXPECT_EQ(read(on_host("n1").runs_on(cpus)).place().cpus, *CpuSet::parse(cpus)) << cpus;
    }
}

TEST(Contribution, a_binding_rule_travels_whole_however_it_is_written) {
    for (const char* rule : {"NUMANode", "hwloc://NUMANode", "  HWLOC://NUMANode  "}) {
        EXPECT_EQ(read(on_host("n1").is_bound(rule)).place().rule, "NUMANode") << rule;
    }
    EXPECT_EQ(read(on_host("n1").is_bound("hwloc://L3iCache")).place().rule, "L3iCache");
    EXPECT_EQ(read(on_host("n1").is_bound(" NONE ")).place().rule, "none");
    EXPECT_EQ(read(on_host("n1").is_bound("numa")).place().rule, "NUMANode");
}

TEST(Contribution, a_simulated_list_replaces_the_cpus) {
    const Read all = read(on_host("n1").runs_on("0-7").is_bound("2-3"));
    EXPECT_EQ(all.place().cpus, CpuSet::range(2, 3));
    EXPECT_EQ(all.place().rule, "");
}

TEST(Contribution, of_several_bindings_the_highest_priority_stands) {
    EXPECT_EQ(read(on_host("n1").is_bound("5", "file").is_bound("core", "hwloc")).place().cpus,
              CpuSet::range(5, 5));
    EXPECT_EQ(read(on_host("n1").is_bound("core", "file").is_bound("5", "hwloc")).place().rule, "core");
}

// ---- machines ----

std::string component_of_machine(const Contribution& contribution) {
    return ByteReader(contribution.machine).get_string();
}

TEST(Contribution, of_several_machines_the_highest_priority_or_the_forced_stands) {
    FakeProcess process = on_host("n1").has(make_machine({}), "cpuid").has(make_machine({2}), "hwloc");
    EXPECT_EQ(component_of_machine(contribution_of(process)), "hwloc");
    EXPECT_EQ(component_of_machine(contribution_of(process.forces(kSocket, "cpuid"))), "cpuid");
    const Read all = read(process);
    EXPECT_EQ(all.names.component_name(all.process().machine_component), "cpuid");
    EXPECT_EQ(all.process().machine_priority, 30);
    EXPECT_EQ(all.process().machine_hash, hash_bytes(contribution_of(process).machine));
}

// ---- what is alike ----

TEST(Contribution, processes_of_different_nodes_have_equal_process_cards) {
    const FakeProcess plain = on_host("n1").runs_on("0").has(make_machine({}));
    FakeProcess other = on_host("n2").runs_on("0").has(make_machine({}));
    const std::string card = contribution_of(plain).process_card;
    EXPECT_EQ(card, contribution_of(other.says("slurm", kSwitch, Name("s"))).process_card);
    EXPECT_NE(card, contribution_of(FakeProcess(plain).runs_on("1")).process_card);
    EXPECT_NE(card, contribution_of(FakeProcess(plain).is_bound("core")).process_card);
    EXPECT_NE(card, contribution_of(FakeProcess(plain).says("file", kCore, Name("x"))).process_card);
    EXPECT_NE(card, contribution_of(FakeProcess(plain).has(make_machine({2}))).process_card);
}

TEST(Contribution, processes_of_one_node_have_equal_node_cards) {
    const FakeProcess plain = on_host("n1").says("slurm", kSwitch, Name("s1"));
    const std::string card = contribution_of(plain).node_card;
    EXPECT_EQ(card, contribution_of(FakeProcess(plain).runs_on("3").has(make_machine({}))).node_card);
    EXPECT_NE(card, contribution_of(on_host("n1").says("slurm", kSwitch, Name("s2"))).node_card);
    EXPECT_NE(card, contribution_of(on_host("n1").says("openib", kSwitch, Name("s1"))).node_card);
    EXPECT_NE(card, contribution_of(on_host("n1").says("slurm", kIsland, Name("s1"))).node_card);
    EXPECT_NE(card, contribution_of(on_host("n2").says("slurm", kSwitch, Name("s1"))).node_card);
}

TEST(Contribution, equal_places_are_one_whatever_else_differs) {
    FakeProcess speaks = on_host("n1").runs_on("0").has(make_machine({}));
    speaks.facts.speaks_for_node = true;
    Names names;
    ProcessCards cards;
    for (const FakeProcess& process : {speaks, on_host("n2").runs_on("0"), on_host("n1").runs_on("1")}) {
        cards.add(contribution_of(process).process_card, names);
    }
    EXPECT_EQ(cards[0].place, cards[1].place);
    EXPECT_NE(cards[0].place, cards[2].place);
    EXPECT_NE(cards[0].flags & kSpeaksForNode, 0);
    EXPECT_EQ(cards[1].flags & kSpeaksForNode, 0);
}

TEST(Contribution, settings_are_compared_by_their_hash) {
    FakeProcess a = on_host("n1"), b = on_host("n1");
    a.facts.settings = "slurm=50";
    b.facts.settings = "slurm=60";
    EXPECT_NE(read(a).process().settings_hash, read(b).process().settings_hash);
}

TEST(Contribution, shared_id_is_the_host_its_shared_memory_and_its_ipc_namespace) {
    FakeProcess process = on_host("n1");
    process.facts.shm_device = 26;
    process.facts.ipc_namespace = 4026531839;
    const std::uint64_t id = read(process).node.shared_id;
    EXPECT_EQ(id, read(FakeProcess(process).simulates_node(Name("a")).runs_on("1")).node.shared_id)
        << "the physical truth";
    FakeProcess other_device = process, other_namespace = process, other_host = process;
    other_device.facts.shm_device = 27;
    other_namespace.facts.ipc_namespace = 27;
    other_host.facts.host_name = "n2";
    EXPECT_NE(id, read(other_device).node.shared_id);
    EXPECT_NE(id, read(other_namespace).node.shared_id);
    EXPECT_NE(id, read(other_host).node.shared_id);
    EXPECT_NE(read(other_device).node.shared_id, read(other_namespace).node.shared_id);
}

// ---- errors ----

TEST(Contribution, carries_the_first_error_whole) {
    FakeProcess process = on_host("n1");
    const std::string value(1000, 'x');
    process.answer_of("slurm").error = Error{Errc::kStale, value, "remedy", "map.txt", 3, 7};
    process.answer_of("hostname").error = Error{Errc::kMalformed, "later", "", "", 0, 0};
    const Read all = read(process);
    ASSERT_TRUE(all.process().error);
    EXPECT_EQ(all.process().error->component, "slurm");
    const Error& error = all.process().error->error;
    EXPECT_EQ(error.code, Errc::kStale);
    EXPECT_EQ(error.value, value);
    EXPECT_EQ(error.message, "remedy");
    EXPECT_EQ(error.position(), "map.txt:3:7");
}

TEST(Contribution, a_component_that_fails_without_words_is_an_error_too) {
    FakeProcess process = on_host("n1");
    process.answer_of("openib").status = kErrorOutOfResource;
    const Read all = read(process);
    ASSERT_TRUE(all.process().error);
    EXPECT_EQ(all.process().error->component, "openib");
    EXPECT_EQ(all.process().error->error.code, Errc::kFailed);
    EXPECT_EQ(all.process().error->error.value, "query");
    EXPECT_EQ(all.process().error->error.message, "it returned the error -2");
    EXPECT_FALSE(read(on_host("n1")).process().error);
}

}  // namespace
}  // namespace hitopo
