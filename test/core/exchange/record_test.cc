// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/record.h"

#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

Contribution contribution_of(const FakeProcess& process) {
    return make_contribution(process.facts, process.answers);
}
Record record_of(const FakeProcess& process) { return contribution_of(process).record; }

TEST(Record, begins_with_what_tells_versions_apart) {
    const Record record = record_of(on_host("n1"));
    EXPECT_EQ(record.magic, Record::kMagic);
    EXPECT_EQ(record.version, Record::kVersion);
    EXPECT_EQ(record.num_words * 4U, sizeof(Record));
}

// ---- the node ----

TEST(Record, node_is_host_name_and_boot_id) {
    const Record record = record_of(on_host("n1", "b1"));
    EXPECT_EQ(record.node_id, record_of(on_host("n1", "b1").says("slurm", kNode, Name("x"))).node_id);
    EXPECT_NE(record.node_id, record_of(on_host("n1", "b2")).node_id);
    EXPECT_NE(record.node_id, record_of(on_host("n1", "")).node_id);
    EXPECT_NE(record.node_id, record_of(on_host("n1b", "1")).node_id);
    EXPECT_EQ(record.host_id, record.node_id);
}

TEST(Record, a_simulated_node_replaces_the_identity_and_leaves_the_host) {
    const Record real = record_of(on_host("n1"));
    const Record simulated = record_of(on_host("n1").simulates_node(Name("a")));
    EXPECT_NE(simulated.node_id, real.node_id);
    EXPECT_EQ(simulated.host_id, real.host_id);
    EXPECT_EQ(simulated.node_id, record_of(on_host("n2").simulates_node(Name("a"))).node_id);
    EXPECT_NE(simulated.node_id, record_of(on_host("n1").simulates_node({{"r1", "a"}})).node_id);
}

TEST(Record, any_priority_can_simulate_a_node) {
    FakeProcess process = on_host("n1").simulates_node(Name("a"));
    process.answer_of("file").priority = -5;
    EXPECT_NE(record_of(process).node_id, record_of(on_host("n1")).node_id);
}

// ---- candidates ----

TEST(Record, two_candidates_of_each_level_highest_priority_first) {
    const Record record = record_of(on_host("n1")
                                        .says("hostname", kSwitch, Name("h"))
                                        .says("openib", kSwitch, Name("o"))
                                        .says("slurm", kSwitch, Name("s")));
    EXPECT_EQ(record.candidates[kSwitch][0].component, component_id("slurm"));
    EXPECT_EQ(record.candidates[kSwitch][0].value, hash_of(Name("s")));
    EXPECT_EQ(record.candidates[kSwitch][0].priority, 50);
    EXPECT_EQ(record.candidates[kSwitch][1].component, component_id("openib"));
    EXPECT_EQ(record.candidates[kIsland][0].component, 0U);
}

TEST(Record, the_forced_component_stands_before_all_priorities) {
    const Record record = record_of(on_host("n1")
                                        .says("hostname", kSwitch, Name("h"))
                                        .says("openib", kSwitch, Name("o"))
                                        .says("slurm", kSwitch, Name("s"))
                                        .forces(kSwitch, "hostname"));
    EXPECT_EQ(record.candidates[kSwitch][0].component, component_id("hostname"));
    EXPECT_EQ(record.candidates[kSwitch][1].component, component_id("slurm"));
    EXPECT_EQ(record.forced[kSwitch], component_id("hostname"));
    EXPECT_EQ(record.forced[kIsland], 0U);
}

TEST(Record, the_frameworks_host_name_stands_last) {
    FakeProcess process = on_host("n1").says("hostname", kNode, Name("seen"));
    process.answer_of("hostname").priority = -100;
    const Record record = record_of(process);
    EXPECT_EQ(record.candidates[kNode][0].component, component_id("hostname"));
    EXPECT_EQ(record.candidates[kNode][1].component, component_id(kFrameworkComponent));
}

TEST(Record, names_come_back_from_their_piece) {
    const RawValue path({Name("c1"), Name::number(7), Name("i2")});
    const Contribution mine =
        contribution_of(on_host("n1").says("slurm", kIsland, path).says("file", kCore, Name::number(3)));
    const std::vector<NamedValue> names = read_names(mine.names);
    ASSERT_EQ(names.size(), 3U);
    EXPECT_EQ(names[0].level, kIsland);
    EXPECT_EQ(names[0].component, "slurm");
    EXPECT_EQ(ByteReader(names[0].value).get_value(), path);
    EXPECT_EQ(names[1].component, kFrameworkComponent);
    EXPECT_EQ(names[2].level, kCore);
    EXPECT_EQ(mine.record.names_bytes, mine.names.size());
}

TEST(Record, each_beginning_of_the_names_piece_gives_its_whole_names) {
    const std::string bytes =
        contribution_of(
            on_host("n1").says("slurm", kSwitch, Name("s")).says("slurm", kCluster, Name("c")))
            .names;
    const std::vector<NamedValue> whole = read_names(bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const std::vector<NamedValue> names = read_names(std::string_view(bytes).substr(0, length));
        ASSERT_LT(names.size(), whole.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            ASSERT_EQ(names[i].value, whole[i].value);
        }
    }
}

// ---- CPUs ----

TEST(Record, regular_cpus_fit_and_irregular_ones_travel_beside) {
    const Contribution regular = contribution_of(on_host("n1").runs_on("0-62:2,128-191"));
    EXPECT_EQ(from_runs(regular.record.cpus).to_string(), CpuSet::parse("0-62:2,128-191")->to_string());
    EXPECT_TRUE(regular.cpus.empty());
    const std::string squares = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289";
    const Contribution irregular = contribution_of(on_host("n1").runs_on(squares));
    EXPECT_EQ(irregular.record.flags & Record::kHasIrregularCpus,
              std::uint32_t{Record::kHasIrregularCpus});
    EXPECT_EQ(read_cpus(irregular.cpus), *CpuSet::parse(squares));
    EXPECT_EQ(irregular.record.cpus_bytes, irregular.cpus.size());
}

TEST(Record, a_binding_rule_travels_whole_however_it_is_written) {
    for (const char* rule : {"NUMANode", "hwloc://NUMANode", "  HWLOC://NUMANode  "}) {
        EXPECT_STREQ(record_of(on_host("n1").is_bound(rule)).binding_rule, "NUMANode") << rule;
    }
    EXPECT_STREQ(record_of(on_host("n1").is_bound("hwloc://L3iCache")).binding_rule, "L3iCache");
    EXPECT_STREQ(record_of(on_host("n1").is_bound(" NONE ")).binding_rule, "none");
    EXPECT_STREQ(record_of(on_host("n1").is_bound("numa")).binding_rule, "NUMANode");
}

TEST(Record, a_simulated_list_replaces_the_cpus) {
    const Record record = record_of(on_host("n1").runs_on("0-7").is_bound("2-3"));
    EXPECT_EQ(from_runs(record.cpus), CpuSet::range(2, 3));
    EXPECT_EQ(record.flags & Record::kHasBindingRule, 0U);
}

TEST(Record, of_several_bindings_the_highest_priority_stands) {
    const Record list = record_of(on_host("n1").is_bound("5", "file").is_bound("core", "hwloc"));
    EXPECT_EQ(from_runs(list.cpus), CpuSet::range(5, 5));
    const Record rule = record_of(on_host("n1").is_bound("core", "file").is_bound("5", "hwloc"));
    EXPECT_STREQ(rule.binding_rule, "core");
}

// ---- machines ----

std::string component_of_machine(const Contribution& contribution) {
    return ByteReader(contribution.machine).get_string();
}

TEST(Record, of_several_machines_the_highest_priority_or_the_forced_stands) {
    FakeProcess process = on_host("n1").has(make_machine({}), "cpuid").has(make_machine({2}), "hwloc");
    EXPECT_EQ(component_of_machine(contribution_of(process)), "hwloc");
    EXPECT_EQ(component_of_machine(contribution_of(process.forces(kSocket, "cpuid"))), "cpuid");
    EXPECT_EQ(contribution_of(process).record.machine_component, component_id("cpuid"));
    EXPECT_EQ(contribution_of(process).record.machine_priority, 30);
}

// ---- hashes ----

TEST(Record, placement_hash_tells_places_inside_a_node_apart) {
    FakeProcess plain = on_host("n1").runs_on("0");
    const std::uint64_t hash = record_of(plain).placement_hash;
    EXPECT_NE(hash, record_of(FakeProcess(plain).runs_on("1")).placement_hash);
    EXPECT_NE(hash, record_of(FakeProcess(plain).is_bound("core")).placement_hash);
    EXPECT_NE(hash, record_of(FakeProcess(plain).says("file", kCore, Name("x"))).placement_hash);
    EXPECT_EQ(hash, record_of(FakeProcess(plain).says("file", kNode, Name("x"))).placement_hash);
    EXPECT_EQ(hash, record_of(on_host("n2").runs_on("0")).placement_hash);
}

TEST(Record, shared_id_is_the_host_its_shared_memory_and_its_ipc_namespace) {
    const FakeProcess plain = on_host("n1").runs_on("0");
    FakeProcess other_device = plain, other_namespace = plain, swapped = plain;
    other_device.facts.shm_device = 7;
    other_namespace.facts.ipc_namespace = 7;
    const std::uint64_t id = record_of(plain).shared_id;
    EXPECT_NE(id, record_of(other_device).shared_id);
    EXPECT_NE(id, record_of(other_namespace).shared_id);
    EXPECT_NE(record_of(other_device).shared_id, record_of(other_namespace).shared_id);
    EXPECT_NE(id, record_of(on_host("n2").runs_on("0")).shared_id);
    EXPECT_EQ(id, record_of(on_host("n1").simulates_node(Name("a")).runs_on("1")).shared_id)
        << "the physical truth";
}

TEST(Record, irregular_cpus_are_part_of_the_placement_hash) {
    const char* squares = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289";
    const char* others = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,290";
    EXPECT_NE(record_of(on_host("n1").runs_on(squares)).placement_hash,
              record_of(on_host("n1").runs_on(others)).placement_hash);
}

TEST(Record, network_hash_tells_answers_apart_and_ignores_the_binding) {
    const FakeProcess plain = on_host("n1").says("slurm", kSwitch, Name("s1"));
    const std::uint64_t hash = record_of(plain).network_hash;
    EXPECT_EQ(hash, record_of(FakeProcess(plain).runs_on("3")).network_hash);
    EXPECT_NE(hash, record_of(on_host("n1").says("slurm", kSwitch, Name("s2"))).network_hash);
    EXPECT_NE(hash, record_of(on_host("n1").says("openib", kSwitch, Name("s1"))).network_hash);
    EXPECT_NE(hash, record_of(on_host("n1").says("slurm", kIsland, Name("s1"))).network_hash);
}

TEST(Record, settings_are_compared_by_their_hash) {
    FakeProcess a = on_host("n1"), b = on_host("n1");
    a.facts.settings = "slurm=50";
    b.facts.settings = "slurm=60";
    EXPECT_NE(record_of(a).settings_hash, record_of(b).settings_hash);
}

// ---- errors ----

TEST(Record, carries_the_first_error_and_the_beginning_of_its_value) {
    FakeProcess process = on_host("n1");
    process.answer_of("slurm").error =
        Error{Errc::kStale, std::string(kErrorValueBytes + 1, 'x'), "remedy", "map.txt", 3, 7};
    process.answer_of("hostname").error = Error{Errc::kMalformed, "later", "", "", 0, 0};
    const Record record = record_of(process);
    EXPECT_EQ(record.flags & Record::kHasError, std::uint32_t{Record::kHasError});
    EXPECT_EQ(record.error_component, component_id("slurm"));
    EXPECT_EQ(record.error_code, static_cast<int>(Errc::kStale));
    EXPECT_EQ(record.error_line, 3);
    EXPECT_EQ(record.error_column, 7);
    EXPECT_EQ(std::string(record.error_value, kErrorValueBytes), std::string(kErrorValueBytes, 'x'));
}

TEST(Record, a_component_that_fails_without_words_is_an_error_too) {
    FakeProcess process = on_host("n1");
    process.answer_of("openib").status = kErrorOutOfResource;
    const Record record = record_of(process);
    EXPECT_EQ(record.error_component, component_id("openib"));
    EXPECT_EQ(record.error_code, static_cast<int>(Errc::kFailed));
    EXPECT_EQ(record_of(on_host("n1")).flags & Record::kHasError, 0U);
}

}  // namespace
}  // namespace hitopo
