// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/make_record.h"

#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

// "slurm/50/s1", with "*" where it is for the node, "?" where its uplinks will name it.
std::string to_string(const RecordMessage& message, const LevelAnswer& answer) {
    if (!answer.is_known()) {
        return "-";
    }
    return message.names[answer.component] + '/' + std::to_string(answer.priority) + '/' +
           ByteReader(message.names[answer.value]).get_value().to_string() +
           (answer.is_named ? "" : "?");
}

RecordMessage record_of(const FakeProcess& process) { return record_of(FakeJob{process}, 0); }

TEST(MakeRecord, has_the_best_answer_and_that_of_the_forced_component) {
    FakeProcess process =
        on_host("n1").gives("slurm", kSwitch, Name("s1")).gives("openib", kSwitch, Name("o"));
    RecordMessage message = record_of(process);
    EXPECT_EQ(to_string(message, message.records[0].best[kSwitch]), "slurm/50/s1");
    EXPECT_EQ(to_string(message, message.records[0].forced[kSwitch]), "-");
    EXPECT_EQ(to_string(message, message.records[0].best[kIsland]), "-");
    EXPECT_EQ(to_string(message, message.records[0].best[kNode]), "hitopo/-2147483648/n1");

    message = record_of(process.forces(kSwitch, "openib"));
    EXPECT_EQ(to_string(message, message.records[0].best[kSwitch]), "slurm/50/s1");
    EXPECT_EQ(to_string(message, message.records[0].forced[kSwitch]), "openib/40/o");
    message = record_of(process.forces(kSwitch, "slurm"));
    EXPECT_EQ(to_string(message, message.records[0].forced[kSwitch]), "-");
}

TEST(MakeRecord, a_switch_stands_for_the_island_that_its_uplinks_will_name) {
    const RecordMessage message = record_of(on_host("n1").may_lead("openib", Name("leaf"), 3));
    EXPECT_EQ(to_string(message, message.records[0].best[kSwitch]), "openib/40/leaf");
    EXPECT_EQ(to_string(message, message.records[0].best[kIsland]), "openib/40/leaf?");
    EXPECT_EQ(message.names[message.records[0].uplinks_component], "openib");
}

TEST(MakeRecord, a_simulated_node_has_an_identity_of_its_own_and_the_memory_of_its_host) {
    const RecordMessage plain = record_of(on_host("n1"));
    const RecordMessage simulated = record_of(on_host("n1").simulates_node(Name("x")));
    const RecordMessage other = record_of(on_host("n2").simulates_node(Name("x")));
    EXPECT_EQ(plain.records[0].node_id, plain.records[0].host_id);
    EXPECT_EQ(simulated.records[0].host_id, plain.records[0].host_id);
    EXPECT_EQ(simulated.records[0].shared_id, plain.records[0].shared_id);
    EXPECT_NE(simulated.records[0].node_id, plain.records[0].node_id);
    EXPECT_EQ(other.records[0].node_id, simulated.records[0].node_id);
    EXPECT_NE(other.records[0].shared_id, simulated.records[0].shared_id);
}

TEST(MakeRecord, memory_is_shared_within_one_host_device_and_namespace) {
    FakeProcess one = on_host("n1"), device = one, space = one, boot = one;
    ++device.facts.shm_device;
    ++space.facts.ipc_namespace;
    boot.facts.boot_id += '2';
    const std::uint64_t shared = record_of(one).records[0].shared_id;
    EXPECT_NE(record_of(device).records[0].shared_id, shared);
    EXPECT_NE(record_of(space).records[0].shared_id, shared);
    EXPECT_NE(record_of(boot).records[0].shared_id, shared);
}

TEST(MakeRecord, its_place_has_the_cpus_or_the_rule_and_all_values) {
    RecordMessage message = record_of(on_host("n1")
                                          .runs_on("0-3")
                                          .gives("file", kSocket, Name("A"))
                                          .gives("slurm", kSocket, Name("B"))
                                          .gives("file", kCore, Name::number(1)));
    const SeatPlace& place = message.places[0];
    EXPECT_EQ(place.cpus.to_string(), "0-3");
    EXPECT_EQ(place.rule, "");
    ASSERT_EQ(place.inner.size(), 3U);
    EXPECT_EQ(place.inner[0].level, kSocket);
    EXPECT_EQ(to_string(message, place.inner[0].answer), "file/90/A");
    EXPECT_EQ(to_string(message, place.inner[1].answer), "slurm/50/B");
    EXPECT_EQ(place.inner[2].level, kCore);

    message = record_of(on_host("n1").runs_on("0-3").is_bound("core"));
    EXPECT_EQ(message.places[0].rule, "core");
    EXPECT_TRUE(message.places[0].cpus.is_empty());
    message = record_of(on_host("n1").runs_on("0-3").is_bound("5"));
    EXPECT_EQ(message.places[0].cpus.to_string(), "5");
    message = record_of(on_host("n1").runs_on("0-3").is_bound("nonsense"));
    EXPECT_EQ(message.places[0].cpus.to_string(), "0-3");
}

TEST(MakeRecord, the_machine_is_that_of_the_component_for_sockets) {
    const FakeMachine one = make_machine({1, 1, 1, 2, 1}), other = make_machine({1, 1, 1, 4, 1});
    FakeProcess process = on_host("n1").has(one, "hwloc").has(other, "cpuid");
    RecordMessage message = record_of(process);
    EXPECT_EQ(message.machines[message.records[0].machine.machine], one.encoded());
    EXPECT_EQ(message.records[0].machine.priority, 60);
    message = record_of(process.forces(kSocket, "cpuid"));
    EXPECT_EQ(message.machines[message.records[0].machine.machine], other.encoded());
}

TEST(MakeRecord, side_resources_are_the_best_of_each_type_and_the_best_for_the_node) {
    const RecordMessage message = record_of(on_host("n1")
                                                .shares("slurm", "b://B", Name("1"), true)
                                                .shares("hwloc", "b://B", Name("2"), false, 4)
                                                .shares("openib", "b://B", Name("3"), true)
                                                .shares("slurm", "a://A", Name("4")));
    std::string all;
    for (const SideValue& side : message.records[0].side) {
        all += message.names[side.type] + ' ' + std::to_string(side.order) + ' ' +
               to_string(message, {side.component, side.priority, side.value, true}) +
               (side.is_for_node ? "*\n" : "\n");
    }
    EXPECT_EQ(all, "a://A 0 slurm/50/4\nb://B 4 hwloc/60/2\nb://B 0 slurm/50/1*\n");
}

TEST(MakeRecord, settings_are_what_has_to_be_the_same_everywhere) {
    FakeProcess process = on_host("n1").forces(kSwitch, "slurm");
    process.facts.settings = {{"coll", "17"}, {"hitopo_node_names", "x"}};
    const RecordMessage message = record_of(process);
    EXPECT_EQ(message.settings[message.records[0].settings],
              (AgreedSettings{
                  {"coll", "17"}, {"hitopo_base_level_switch", "slurm"}, {"hitopo_node_names", "x"}}));
}

TEST(MakeRecord, the_error_that_costs_most_is_reported) {
    FakeProcess process =
        on_host("n1").gives("slurm", kSwitch, Name("s")).gives("file", kSwitch, Name("s"));
    process.answer_of("file").error = Error{Errc::kSkipped, "a", "b", "c", 1, 2};
    process.answer_of("slurm").status = -1;
    const RecordMessage message = record_of(process);
    EXPECT_EQ(message.error->component, "slurm");
    EXPECT_EQ(message.error->error.code, Errc::kFailed);
    EXPECT_EQ(message.error->error.message, "it returned the error -1");
    EXPECT_EQ(record_of(on_host("n1")).error->error.code, Errc::kNone);
}

}  // namespace
}  // namespace hitopo
