// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <gtest/gtest.h>

#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

std::vector<Record> records_of(const FakeJob& job) {
    std::vector<Record> records;
    for (const FakeProcess& process : job) {
        records.push_back(make_contribution(process.facts, process.answers).record);
    }
    return records;
}

Plan plan_of(const std::vector<Record>& records) { return *make_plan(records.data(), records.size()); }
Plan plan_of(const FakeJob& job) { return plan_of(records_of(job)); }

// The component that fills a level of the job's first node; 0: none.
std::uint32_t chosen(const FakeJob& job, Level level = kSwitch) {
    return plan_of(job).nodes[0].network[level].candidate.component;
}

FakeProcess on_switch(const char* component, const char* name, const char* host = "n1") {
    return on_host(host).says(component, kSwitch, Name(name));
}

TEST(Plan, lists_nodes_by_their_first_rank) {
    const Plan plan = plan_of({on_host("b"), on_host("a"), on_host("b"), on_host("c")});
    ASSERT_EQ(plan.nodes.size(), 3U);
    EXPECT_EQ(plan.nodes[0].num_processes, 2U);
    EXPECT_EQ(plan.nodes[1].first_rank, 1U);
    EXPECT_EQ(plan.processes[2].node, 0U);
    EXPECT_EQ(plan.processes[3].node, 2U);
}

// ---- one component per level and node ----

TEST(Plan, the_highest_priority_fills_a_level) {
    EXPECT_EQ(chosen({on_switch("slurm", "s").says("openib", kSwitch, Name("o"))}),
              component_id("slurm"));
}

TEST(Plan, a_component_that_answered_for_most_processes_beats_priorities) {
    const FakeProcess both = on_switch("slurm", "s").says("openib", kSwitch, Name("o"));
    const FakeProcess one = on_switch("openib", "o");
    EXPECT_EQ(chosen({both, one, one}), component_id("openib"));
    EXPECT_EQ(chosen({both, both, one}), component_id("slurm"));
    EXPECT_EQ(chosen({both, one}), component_id("openib")) << "half of them are not most";
}

TEST(Plan, a_component_that_answered_for_few_beats_none) {
    EXPECT_EQ(chosen({on_host("n1"), on_switch("slurm", "s"), on_host("n1"), on_host("n1")}),
              component_id("slurm"));
    EXPECT_EQ(chosen({on_host("n1"), on_host("n1")}), 0U);
}

TEST(Plan, where_none_answered_for_most_the_largest_part_decides_then_the_priority) {
    const FakeProcess nobody = on_host("n1");
    const FakeProcess slurm = on_switch("slurm", "s");
    const FakeProcess openib = on_switch("openib", "o");
    EXPECT_EQ(chosen({nobody, nobody, slurm, openib, openib, nobody}), component_id("openib"));
    EXPECT_EQ(chosen({nobody, nobody, openib, slurm}), component_id("slurm"));
}

TEST(Plan, rank_0_names_the_component_that_beats_priorities) {
    const FakeProcess both = on_switch("slurm", "s").says("openib", kSwitch, Name("o"));
    FakeProcess forces = FakeProcess(both).forces(kSwitch, "openib");
    EXPECT_EQ(chosen({forces, both}), component_id("openib"));
    EXPECT_EQ(chosen({both, forces}), component_id("slurm"));
    EXPECT_EQ(chosen({FakeProcess(both).forces(kSwitch, "hostname")}), component_id("slurm"))
        << "a component that did not answer";
}

TEST(Plan, levels_are_chosen_each_by_itself) {
    const FakeJob job = {on_switch("slurm", "s").says("openib", kIsland, Name("i"))};
    EXPECT_EQ(chosen(job, kSwitch), component_id("slurm"));
    EXPECT_EQ(chosen(job, kIsland), component_id("openib"));
    EXPECT_EQ(chosen(job, kCluster), 0U);
    EXPECT_EQ(chosen(job, kNode), component_id(kFrameworkComponent));
}

TEST(Plan, of_processes_that_disagree_the_lowest_rank_that_knows_stands) {
    const Plan plan = plan_of({on_host("n1"), on_switch("slurm", "s2"), on_switch("slurm", "s1"),
                               on_switch("slurm", "s1"), on_switch("slurm", "s3", "n2")});
    EXPECT_EQ(plan.nodes[0].network[kSwitch].candidate.value, hash_of(Name("s2")));
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
    EXPECT_EQ(plan_of({explicit_core}).nodes[0].inner_component, component_id("file"));
    EXPECT_EQ(plan_of({explicit_core}).nodes[0].l2numa_component, 0U);
    EXPECT_EQ(plan_of({explicit_core, plain}).nodes[0].inner_component, 0U)
        << "the machine answers for all, the file for half";
    EXPECT_EQ(plan_of({FakeProcess(explicit_core).forces(kSocket, "hwloc")}).nodes[0].inner_component,
              0U);
    EXPECT_EQ(plan_of({FakeProcess(plain).says("hostname", kCore, Name("x"))}).nodes[0].inner_component,
              0U);
}

TEST(Plan, level_socket_decides_for_core_and_hwthread_too) {
    const FakeProcess process =
        on_host("n1").has(make_machine({})).says("hostname", kHwThread, Name("x"));
    EXPECT_EQ(plan_of({FakeProcess(process).forces(kSocket, "hostname")}).nodes[0].inner_component,
              component_id("hostname"));
    EXPECT_EQ(plan_of({FakeProcess(process).forces(kCore, "hostname")}).nodes[0].inner_component, 0U);
}

TEST(Plan, without_a_machine_explicit_values_of_a_few_stand) {
    const Plan plan =
        plan_of({on_host("n1"), on_host("n1"), on_host("n1").says("file", kL2Numa, Name("x"))});
    EXPECT_EQ(plan.nodes[0].l2numa_component, component_id("file"));
    EXPECT_EQ(plan.nodes[0].inner_component, 0U);
}

TEST(Plan, the_lowest_ranks_machine_is_the_nodes) {
    const Plan plan = plan_of({on_host("n1"), on_host("n1").has(make_machine({2})),
                               on_host("n1").has(make_machine({4})), on_host("n2")});
    EXPECT_EQ(plan.nodes[0].machine_hash,
              records_of({on_host("n1").has(make_machine({2}))})[0].machine_hash);
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

// ---- pieces ----

int num_pieces(const Plan& plan, Piece::Part part) {
    int count = 0;
    for (const Piece& piece : plan.pieces) {
        count += (piece.parts & part) != 0 ? 1 : 0;
    }
    return count;
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

TEST(Plan, equal_machines_are_sent_once) {
    const FakeMachine machine = make_machine({2, 2, 2, 8, 2});
    FakeJob job;
    for (int node = 0; node < 100; ++node) {
        job.push_back(on_host("n" + std::to_string(node)).has(machine));
    }
    const Plan plan = plan_of(job);
    EXPECT_EQ(num_pieces(plan, Piece::kMachine), 1);
    EXPECT_LT(plan.num_bytes, machine.encoded().size() + 100 * 40);
    job.back() = on_host("fat").has(make_machine({4, 2, 2, 8, 2}));
    EXPECT_EQ(num_pieces(plan_of(job), Piece::kMachine), 2);
}

TEST(Plan, one_process_of_each_node_sends_names) {
    FakeJob job;
    for (int rank = 0; rank < 60; ++rank) {
        job.push_back(on_switch("slurm", "s", rank % 3 == 0 ? "n0" : rank % 3 == 1 ? "n1" : "n2"));
    }
    const Plan plan = plan_of(job);
    ASSERT_EQ(plan.pieces.size(), 3U);
    EXPECT_EQ(plan.pieces[2].rank, 2U);
    EXPECT_EQ(num_pieces(plan, Piece::kNames), 3);
}

TEST(Plan, irregular_cpus_are_sent_once_for_all_processes_that_have_them) {
    const char* squares = "0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289";
    const Plan plan = plan_of(
        {on_host("n1").runs_on("0"), on_host("n1").runs_on(squares), on_host("n2").runs_on(squares)});
    EXPECT_EQ(num_pieces(plan, Piece::kCpus), 1);
    EXPECT_EQ(plan.processes[1].placement, plan.processes[2].placement);
}

TEST(Plan, all_processes_with_explicit_values_send_their_names) {
    const FakeProcess explicit_core = on_host("n1").says("file", kCore, Name("x"));
    EXPECT_EQ(num_pieces(plan_of({on_host("n1"), explicit_core, explicit_core}), Piece::kNames), 3);
}

TEST(Plan, pieces_stand_padded_one_after_the_other_by_rank) {
    FakeJob job;
    for (const char* host : {"a", "bb", "ccc", "dddd", "a"}) {
        job.push_back(on_host(host).has(make_machine({static_cast<int>(job.size()) + 1})));
    }
    const Plan plan = plan_of(job);
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < plan.pieces.size(); ++i) {
        EXPECT_EQ(plan.pieces[i].offset, offset);
        EXPECT_EQ(plan.pieces[i].num_bytes % 4, 0U);
        EXPECT_TRUE(i == 0 || plan.pieces[i - 1].rank < plan.pieces[i].rank);
        offset += plan.pieces[i].num_bytes;
    }
    EXPECT_EQ(plan.num_bytes, offset);
}

TEST(Plan, sizes_above_4_gib_do_not_wrap) {
    std::vector<Record> records = records_of({on_host("n1").has(make_machine({}))});
    records[0].names_bytes = UINT32_MAX;
    records[0].machine_bytes = UINT32_MAX;
    EXPECT_EQ(plan_of(records).num_bytes, 8589934592U);
}

// ---- trouble ----

TEST(Plan, refuses_a_record_that_is_not_of_this_version) {
    const FakeJob job = {on_host("n1"), on_host("n1"), on_host("n1")};
    std::vector<std::vector<Record>> damaged(3, records_of(job));
    damaged[0][2].magic ^= 1;
    damaged[1][2].version += 1;
    damaged[2][2].num_words -= 1;
    for (const std::vector<Record>& records : damaged) {
        const Result<Plan> plan = make_plan(records.data(), records.size());
        ASSERT_FALSE(plan.is_ok());
        EXPECT_EQ(plan.error().code, Errc::kDisagree);
        EXPECT_EQ(plan.error().value, "rank 2");
        EXPECT_NE(plan.error().message.find("one installation"), std::string::npos);
    }
}

// What a process contributes that could not open the framework: it stays in the exchange.
TEST(Plan, refuses_a_record_of_zeros_and_says_why) {
    std::vector<Record> records = records_of({on_host("n1"), on_host("n1")});
    records[1] = Record{};
    const Result<Plan> plan = make_plan(records.data(), records.size());
    ASSERT_FALSE(plan.is_ok());
    EXPECT_EQ(plan.error().value, "rank 1");
    EXPECT_NE(plan.error().message.find("could not start"), std::string::npos);
}

TEST(Plan, the_lowest_ranks_error_is_reported) {
    FakeProcess bad = on_host("n1");
    bad.answer_of("slurm").error = Error{};
    const Plan plan = plan_of({on_host("n1"), bad, on_host("n1"), bad});
    EXPECT_EQ(plan.first_error_rank, 1);
    EXPECT_EQ(plan_of({on_host("n1")}).first_error_rank, -1);
}

TEST(Plan, notes_mixed_settings) {
    FakeProcess other = on_host("n1");
    other.facts.settings = "slurm=60";
    EXPECT_TRUE(plan_of({on_host("n1"), other}).has_mixed_settings);
    EXPECT_FALSE(plan_of({other, other}).has_mixed_settings);
}

}  // namespace
}  // namespace hitopo
