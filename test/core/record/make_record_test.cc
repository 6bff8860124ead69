// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/make_record.h"

#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

// "slurm/50/s1", with "?" where its uplinks will name it.
std::string to_string(const RecordMessage& message, const LevelAnswer& answer) {
    if (!answer.is_known()) {
        return "-";
    }
    return message.names[answer.component] + '/' + std::to_string(answer.priority) + '/' +
           ByteReader(message.names[answer.value]).get_value().to_string() +
           (answer.is_named ? "" : "?");
}

RecordMessage record_of(const FakeProcess& process) { return record_of(FakeJob{process}, 0); }

TEST(MakeRecord, a_switch_stands_for_the_island_that_its_uplinks_will_name) {
    const RecordMessage message = record_of(on_host("n1").may_lead("openib", Name("leaf"), 3));
    EXPECT_EQ(to_string(message, message.records[0].best[kSwitch]), "openib/40/leaf");
    EXPECT_EQ(to_string(message, message.records[0].best[kIsland]), "openib/40/leaf?");
    EXPECT_EQ(message.names[message.records[0].uplinks_component], "openib");
}

TEST(MakeRecord, its_place_has_the_cpus_or_the_rule_and_all_values) {
    RecordMessage message = record_of(on_host("n1")
                                          .runs_on("0-3")
                                          .gives("file", kSocket, Name("A"))
                                          .gives("slurm", kSocket, Name("B"))
                                          .gives("file", kCore, Name::number(1)));
    const ProcessBinding& place = message.places[0];
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
