// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <gtest/gtest.h>

#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

Plan plan_of(const FakeJob& job) { return gather(job).plan; }

// The component that fills a level of the job's first node; "": none.
std::string chosen(const FakeJob& job, Level level = kSwitch) {
    const Plan plan = plan_of(job);
    return plan.names.component_name(plan.nodes[0].network[level].candidate.component);
}
std::string inner_component(const Plan& plan) {
    return plan.names.component_name(plan.nodes[0].inner_component);
}
std::string inner_component(const FakeJob& job) { return inner_component(plan_of(job)); }

FakeProcess on_switch(const char* component, const char* name, const char* host = "n1") {
    return on_host(host).says(component, kSwitch, Name(name));
}

TEST(Plan, lists_nodes_by_their_first_rank) {
    const Gathered all = gather({on_host("b"), on_host("a"), on_host("b"), on_host("c")});
    const Plan& plan = all.plan;
    ASSERT_EQ(plan.nodes.size(), 3U);
    EXPECT_EQ(plan.nodes[0].num_processes, 2U);
    EXPECT_EQ(plan.nodes[1].first_rank, 1U);
    const std::vector<Member> members = members_of(all.summary, plan, 0);
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[1].rank, 2U);
    EXPECT_EQ(members_of(all.summary, plan, 2)[0].rank, 3U);
}

// ---- one component per level and node ----

TEST(Plan, the_highest_priority_fills_a_level) {
    EXPECT_EQ(chosen({on_switch("slurm", "s").says("openib", kSwitch, Name("o"))}), "slurm");
}

TEST(Plan, a_component_that_answered_for_most_processes_beats_priorities) {
    const FakeProcess both = on_switch("slurm", "s").says("openib", kSwitch, Name("o"));
    const FakeProcess one = on_switch("openib", "o");
    EXPECT_EQ(chosen({both, one, one}), "openib");
    EXPECT_EQ(chosen({both, both, one}), "slurm");
    EXPECT_EQ(chosen({both, one}), "openib") << "half of them are not most";
}

TEST(Plan, a_component_that_answered_for_few_beats_none) {
    EXPECT_EQ(chosen({on_host("n1"), on_switch("slurm", "s"), on_host("n1"), on_host("n1")}), "slurm");
    EXPECT_EQ(chosen({on_host("n1"), on_host("n1")}), "");
}

TEST(Plan, where_none_answered_for_most_the_largest_part_decides_then_the_priority) {
    const FakeProcess nobody = on_host("n1");
    const FakeProcess slurm = on_switch("slurm", "s");
    const FakeProcess openib = on_switch("openib", "o");
    EXPECT_EQ(chosen({nobody, nobody, slurm, openib, openib, nobody}), "openib");
    EXPECT_EQ(chosen({nobody, nobody, openib, slurm}), "slurm");
}

TEST(Plan, rank_0_names_the_component_that_beats_priorities) {
    const FakeProcess both = on_switch("slurm", "s").says("openib", kSwitch, Name("o"));
    FakeProcess forces = FakeProcess(both).forces(kSwitch, "openib");
    EXPECT_EQ(chosen({forces, both}), "openib");
    EXPECT_EQ(chosen({both, forces}), "slurm");
    EXPECT_EQ(chosen({FakeProcess(both).forces(kSwitch, "hostname")}), "slurm")
        << "a component that did not answer";
}

TEST(Plan, levels_are_chosen_each_by_itself) {
    const FakeJob job = {on_switch("slurm", "s").says("openib", kIsland, Name("i"))};
    EXPECT_EQ(chosen(job, kSwitch), "slurm");
    EXPECT_EQ(chosen(job, kIsland), "openib");
    EXPECT_EQ(chosen(job, kCluster), "");
    EXPECT_EQ(chosen(job, kNode), kFrameworkComponent);
}

TEST(Plan, of_processes_that_disagree_the_lowest_rank_that_knows_stands) {
    const Plan plan = plan_of({on_host("n1"), on_switch("slurm", "s2"), on_switch("slurm", "s1"),
                               on_switch("slurm", "s1"), on_switch("slurm", "s3", "n2")});
    EXPECT_EQ(plan.names.value_of(plan.nodes[0].network[kSwitch].candidate.value), RawValue(Name("s2")));
    EXPECT_EQ(plan.nodes[0].network[kSwitch].witness, 1U);
    ASSERT_EQ(plan.disagreements.size(), 1U);
    EXPECT_EQ(plan.disagreements[0].level, kSwitch);
    EXPECT_EQ(plan.disagreements[0].rank, 1U);
    EXPECT_EQ(plan.disagreements[0].other_rank, 2U);
}

TEST(Plan, a_component_that_is_not_chosen_may_disagree_with_itself) {
    const auto process = [](const char* name) {
        return on_switch("slurm", "s").says("openib", kSwitch, Name(name));
    };
    EXPECT_TRUE(plan_of({process("a"), process("b")}).disagreements.empty());
}

// ---- explicit values and machines ----

TEST(Plan, explicit_values_stand_where_their_component_beats_the_machines) {
    const FakeProcess plain = on_host("n1").has(make_machine({})).runs_on("0");
    const FakeProcess explicit_core = FakeProcess(plain).says("file", kCore, Name("x"));
    EXPECT_EQ(inner_component({explicit_core}), "file");
    EXPECT_EQ(plan_of({explicit_core}).nodes[0].l2numa_component, 0U);
    EXPECT_EQ(inner_component({explicit_core, plain}), "")
        << "the machine answers for all, the file for half";
    EXPECT_EQ(inner_component({FakeProcess(explicit_core).forces(kSocket, "hwloc")}), "");
    EXPECT_EQ(inner_component({FakeProcess(plain).says("hostname", kCore, Name("x"))}), "");
}

TEST(Plan, level_socket_decides_for_core_and_hwthread_too) {
    const FakeProcess process =
        on_host("n1").has(make_machine({})).says("hostname", kHwThread, Name("x"));
    EXPECT_EQ(inner_component({FakeProcess(process).forces(kSocket, "hostname")}), "hostname");
    EXPECT_EQ(inner_component({FakeProcess(process).forces(kCore, "hostname")}), "");
}

TEST(Plan, without_a_machine_explicit_values_of_a_few_stand) {
    const Plan plan =
        plan_of({on_host("n1"), on_host("n1"), on_host("n1").says("file", kL2Numa, Name("x"))});
    EXPECT_EQ(plan.names.component_name(plan.nodes[0].l2numa_component), "file");
    EXPECT_EQ(inner_component(plan), "");
}

TEST(Plan, the_lowest_ranks_machine_is_the_nodes) {
    const Plan plan = plan_of({on_host("n1"), on_host("n1").has(make_machine({2})),
                               on_host("n1").has(make_machine({4})), on_host("n2")});
    const FakeProcess second = on_host("n1").has(make_machine({2}));
    EXPECT_EQ(plan.nodes[0].machine_hash,
              hash_bytes(make_contribution(second.facts, second.answers).machine));
    EXPECT_EQ(plan.nodes[1].machine_hash, 0U);
}

TEST(Plan, a_simulated_node_without_a_machine_has_its_hosts) {
    const Plan plan =
        plan_of({on_host("n1").simulates_node(Name("a")).has(make_machine({2})),
                 on_host("n1").simulates_node(Name("b")), on_host("n2").simulates_node(Name("c"))});
    EXPECT_NE(plan.nodes[0].machine_hash, 0U);
    EXPECT_EQ(plan.nodes[1].machine_hash, plan.nodes[0].machine_hash);
    EXPECT_EQ(plan.nodes[2].machine_hash, 0U);
}

// ---- who speaks for a node ----

FakeProcess speaking(FakeProcess process) {
    process.facts.speaks_for_node = true;
    return process;
}

TEST(Plan, the_lowest_rank_of_a_node_of_which_nobody_spoke_is_to_speak) {
    const FakeProcess a = on_host("a"), b = on_host("b");
    EXPECT_EQ(plan_of({a, speaking(a), b, b}).unspoken, std::vector<std::uint32_t>({2}));
    EXPECT_EQ(plan_of({b, a, b, a}).unspoken, std::vector<std::uint32_t>({0, 1}));
    EXPECT_EQ(plan_of({speaking(a), a, b, speaking(b)}).unspoken, std::vector<std::uint32_t>());
}

TEST(Plan, one_process_speaks_for_all_simulated_nodes_of_a_host) {
    FakeProcess first = on_host("h"), second = on_host("h"), elsewhere = on_host("i");
    first.simulates_node(Name("n1"));
    second.simulates_node(Name("n2"));
    elsewhere.simulates_node(Name("n3"));
    EXPECT_EQ(plan_of({first, second, elsewhere}).unspoken, std::vector<std::uint32_t>({0, 2}));
    EXPECT_EQ(plan_of({first, speaking(second), elsewhere}).unspoken, std::vector<std::uint32_t>({2}));
}

TEST(Plan, a_host_of_two_names_is_two_nodes_that_both_are_to_speak) {
    EXPECT_EQ(plan_of({speaking(on_host("container1")), on_host("container2")}).unspoken,
              std::vector<std::uint32_t>({1}));
}

// ---- trouble ----

TEST(Plan, refuses_a_summary_without_a_process_or_with_one_twice) {
    const FakeJob job = {on_host("n1"), on_host("n2"), on_host("n1")};
    const Contribution said = make_contribution(job[0].facts, job[0].answers);
    const Result<Plan> without = make_plan(Summary::of_group({{0, said}, {2, said}}), 3);
    ASSERT_FALSE(without.is_ok());
    EXPECT_EQ(without.error().code, Errc::kDisagree);
    EXPECT_EQ(without.error().value, "rank 1");
    EXPECT_NE(without.error().message.find("one installation"), std::string::npos);
    Summary twice = Summary::of_group({{0, said}, {1, said}});
    twice.append(Summary::of_group({{1, said}, {2, said}}));
    const Result<Plan> plan = make_plan(twice.in_order(), 3);
    ASSERT_FALSE(plan.is_ok());
    EXPECT_EQ(plan.error().value, "rank 1");
}

TEST(Plan, the_lowest_ranks_error_is_reported) {
    FakeProcess bad = on_host("n1");
    bad.answer_of("slurm").error = Error();
    const Plan plan = plan_of({on_host("n1"), bad, on_host("n1"), bad});
    EXPECT_EQ(plan.error_rank, 1U);
    EXPECT_EQ(plan.error->component, "slurm");
    EXPECT_FALSE(plan_of({on_host("n1")}).error);
}

// A file that lacks some hosts is of others; one that lacks all is of another cluster.
TEST(Plan, what_costs_most_is_reported) {
    const auto with = [](Errc code) {
        FakeProcess process = on_host("n1");
        process.answer_of("slurm").error.emplace().code = code;
        return process;
    };
    const FakeProcess fine = on_host("n1");
    const FakeProcess absent = with(Errc::kAbsent);
    const FakeProcess skipped = with(Errc::kSkipped);
    const FakeProcess bad = with(Errc::kMalformed);
    EXPECT_EQ(plan_of({absent, skipped, bad, bad}).error_rank, 2U);
    EXPECT_EQ(plan_of({absent, skipped, fine, skipped}).error_rank, 1U);
    EXPECT_EQ(plan_of({absent, absent}).error_rank, 0U);
    EXPECT_EQ(plan_of({absent, absent}).error->error.code, Errc::kAbsent);
    EXPECT_FALSE(plan_of({absent, fine, absent}).error);
}

TEST(Plan, of_one_process_what_costs_most_is_reported) {
    FakeProcess process = on_host("n1");
    process.answer_of("file").error.emplace().code = Errc::kSkipped;
    process.answer_of("slurm").error.emplace().code = Errc::kStale;
    EXPECT_EQ(plan_of({process}).error->component, "slurm");
}

TEST(Plan, notes_mixed_settings) {
    FakeProcess other = on_host("n1");
    other.facts.settings = "slurm=60";
    EXPECT_TRUE(plan_of({on_host("n1"), other}).has_mixed_settings);
    EXPECT_FALSE(plan_of({other, other}).has_mixed_settings);
}

}  // namespace
}  // namespace hitopo
