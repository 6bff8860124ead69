// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/selection.h"

#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

// "slurm:s1", the switch of the first node, and who gave it.
std::string selected(const FakeJob& job) {
    const RecordMessage all = records_of(job, hosts_of(job));
    const std::vector<const NodeRecord*> node = records_by_node(all.records)[0];
    const Selected switch_of = select_answer(all, node, kSwitch, forced_component(all, kSwitch));
    if (!switch_of.answer.is_known()) {
        return "unknown";
    }
    const RawValue value = ByteReader(all.names[switch_of.answer.value]).get_value();
    const std::string other =
        switch_of.other_rank ? ", other at " + std::to_string(*switch_of.other_rank) : "";
    return all.names[switch_of.answer.component] + ':' + value.to_string() + " of " +
           std::to_string(switch_of.rank) + other;
}

FakeProcess gives(const std::string& component, const std::string& value) {
    return on_host("n1").gives(component, kSwitch, Name(value));
}

TEST(Selection, the_component_of_rank_0s_choice_then_of_the_highest_priority_fills_a_level) {
    EXPECT_EQ(selected({on_host("n1")}), "unknown");
    EXPECT_EQ(selected({gives("slurm", "s1")}), "slurm:s1 of 0");
    // openib has 40, slurm 50, file 90
    EXPECT_EQ(selected({gives("openib", "o"), gives("slurm", "s1"), on_host("n1")}), "slurm:s1 of 1");
    EXPECT_EQ(selected({gives("openib", "o").forces(kSwitch, "openib"), gives("slurm", "s1")}),
              "openib:o of 0");
    EXPECT_EQ(
        selected({gives("slurm", "s"),
                  gives("slurm", "s1").gives("openib", kSwitch, Name("o")).forces(kSwitch, "openib")}),
        "slurm:s of 0, other at 1");
    EXPECT_EQ(
        selected({on_host("n1").forces(kSwitch, "openib"),
                  gives("slurm", "s1").gives("openib", kSwitch, Name("o")).forces(kSwitch, "openib")}),
        "openib:o of 1");
    EXPECT_EQ(selected({on_host("n1").forces(kSwitch, "file"), gives("slurm", "s1")}), "slurm:s1 of 1");
}

TEST(Selection, among_values_of_a_component_the_lowest_ranks_stands) {
    EXPECT_EQ(
        selected({on_host("n1"), gives("slurm", "s2"), gives("slurm", "s1"), gives("slurm", "s1")}),
        "slurm:s2 of 1, other at 2");
}

TEST(Selection, of_equal_priorities_the_lowest_name_stands) {
    FakeProcess one = gives("slurm", "s"), other = gives("openib", "o");
    one.answers[0].priority = other.answers[0].priority = 7;
    EXPECT_EQ(selected({one, other}), "openib:o of 1");
}

TEST(Selection, the_lowest_rank_of_each_host_that_was_not_asked_is_to_ask) {
    FakeJob job = {on_host("a"), on_host("b"), on_host("b"), on_host("a"), on_host("c")};
    job[2].facts.is_host_asked = true;
    EXPECT_EQ(hosts_to_ask(records_of(job, hosts_of(job)).records), (std::vector<std::uint32_t>{0, 4}));
    job[3].facts.is_host_asked = job[4].facts.is_host_asked = true;
    EXPECT_TRUE(hosts_to_ask(records_of(job, hosts_of(job)).records).empty());
}

TEST(Selection, one_simulated_node_asks_for_all_of_its_host) {
    FakeJob job = {on_host("a").simulates_node(Name("x")), on_host("a").simulates_node(Name("y"))};
    EXPECT_EQ(hosts_to_ask(records_of(job, hosts_of(job)).records), (std::vector<std::uint32_t>{0}));
}

TEST(Selection, one_process_below_each_switch_that_counts_asks_for_its_uplinks) {
    const Uplinks none;
    FakeJob job = {on_host("a"), on_host("a").leads("openib", Name("leaf1"), none),
                   on_host("b").leads("openib", Name("leaf1"), none),
                   on_host("c").leads("openib", Name("leaf2"), none),
                   on_host("d")
                       .leads("openib", Name("leaf3"), none)
                       .gives("slurm", kSwitch, Name("s"))
                       .gives("slurm", kIsland, Name("i"))};
    const RecordMessage all = records_of(job, hosts_of(job));
    std::vector<std::string> asked;
    for (const SwitchToAsk& leaf : switches_to_ask(all)) {
        asked.push_back(std::to_string(leaf.rank) + all.names[leaf.component]);
    }
    EXPECT_EQ(asked, (std::vector<std::string>{"1openib", "3openib"}));
}

TEST(Selection, each_rank_has_to_be_there_once) {
    const FakeJob job = {on_host("a"), on_host("a"), on_host("b")};
    const RecordMessage all = records_of(job, hosts_of(job));
    EXPECT_FALSE(first_not_once(all.records, 3));
    EXPECT_EQ(first_not_once(all.records, 4), 3U);
    EXPECT_EQ(first_not_once(records_of(job, {{0, 1}, {1, 2}}).records, 3), 1U);
    EXPECT_EQ(first_not_once(records_of(job, {{0}, {2}}).records, 3), 1U);
    EXPECT_EQ(first_not_once({}, 1), 0U);
}

}  // namespace
}  // namespace hitopo
