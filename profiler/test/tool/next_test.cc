// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The advice of a report, and the groups of functions: times.cc, next.cc.
#include "profiler/tool/report/next.h"

#include <fstream>
#include <sstream>

#include "profiler/test/tool/profile_fixtures.h"
#include "test/paths.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMs = 1000000;

// Ranks 0 .. with so many milliseconds, two on a node, four below a switch.
Waits waits_of(const std::vector<std::uint64_t>& ms) {
    Profile profile;
    profile.size = static_cast<int>(ms.size());
    profile.table = TableDocument();
    for (const Level level : {kNode, kSwitch}) {
        profile.table->levels[level].known = Known::kAll;
    }
    ProfileSums sums;
    for (int rank = 0; rank < profile.size; ++rank) {
        RankRow row;
        row.address[kNode] = rank / 2;
        row.address[kSwitch] = rank / 4;
        row.names[kNode] = "n" + std::to_string(rank / 2);
        row.names[kSwitch] = "s" + std::to_string(rank / 4);
        profile.table->ranks.push_back(row);
        ProcessRecord process;
        process.rank = rank;
        process.kinds = {{0, 1, {{"MPI_Waitall", 1, 0, 1}}, {}, {}, {}}};
        profile.processes.push_back(process);
        sums.process_ns.push_back(ms[static_cast<std::size_t>(rank)] * kMs);
    }
    return who_waits(profile, sums);
}

std::string late_text(const Waits& waits) {
    const std::optional<Advice> advice = advise_late(waits, 300 * kMs, "f");
    return advice ? advice->text : "";
}

TEST(Groups, of_functions) {
    for (const auto& [function, group] :
         std::vector<std::pair<const char*, Group>>{{"MPI_Waitall", Group::kWaiting},
                                                    {"MPI_Test", Group::kWaiting},
                                                    {"MPI_Parrived", Group::kWaiting},
                                                    {"MPI_Buffer_detach", Group::kWaiting},
                                                    {"MPI_Iprobe", Group::kProbing},
                                                    {"MPI_Sendrecv_replace", Group::kBlocking},
                                                    {"MPI_Send_c", Group::kBlocking},
                                                    {"MPI_Isendrecv", Group::kStarting},
                                                    {"MPI_Ssend_init", Group::kStarting},
                                                    {"MPI_Pready_range", Group::kStarting},
                                                    {"MPI_Irecv_c", Group::kStarting},
                                                    {"MPI_Reduce_init", Group::kCollectives},
                                                    {"MPI_Ibarrier", Group::kCollectives},
                                                    {"MPI_Neighbor_alltoallw", Group::kCollectives},
                                                    {"MPI_Win_fence", Group::kOneSided},
                                                    {"MPI_Rget_accumulate", Group::kOneSided},
                                                    {"MPI_File_iread", Group::kFiles},
                                                    {"MPI_Comm_idup", Group::kMaking},
                                                    {"MPI_Cart_sub", Group::kMaking},
                                                    {"MPI_Comm_free", Group::kMaking},
                                                    {"MPI_Comm_iflush_buffer", Group::kWaiting},
                                                    {"MPI_Later", Group::kOthers},
                                                    {"x", Group::kOthers}}) {
        EXPECT_EQ(group_of(function), group) << function;
    }
}

// A function that the profiler counts and no group has would be "other functions".
TEST(Groups, have_all_functions_of_the_profiler) {
    std::ifstream table(FIXTURES_DIR "/../../profiler/count/calls.table");
    std::size_t count = 0;
    for (std::string line; std::getline(table, line);) {
        std::istringstream words(line);
        for (std::string word; words >> word && word != ":" && word != "#";) {
            if (word.substr(0, 4) == "MPI_" && word.substr(0, 8) != "MPI_Init" &&
                word != "MPI_Finalize") {
                EXPECT_NE(group_of(word), Group::kOthers) << word;
                ++count;
            }
        }
    }
    EXPECT_GT(count, 150U);
}

TEST(Waits, of_ranks_nodes_and_switches) {
    const Waits waits = waits_of({7, 5, 1, 3, 6, 8});
    EXPECT_EQ(waits.ranks.front().rank, 2);
    EXPECT_EQ(waits.ranks.back().rank, 5);
    EXPECT_EQ(median_ns(waits.ranks), 5500000U);
    ASSERT_EQ(waits.nodes.size(), 3U);
    EXPECT_EQ(waits.nodes[0].name, "n1");
    EXPECT_EQ(waits.nodes[0].ns, 2 * kMs);
    ASSERT_EQ(waits.switches.size(), 2U);
    EXPECT_EQ(waits.switches[1].name, "s1");
    EXPECT_EQ(waits.switches[1].ranks, (std::vector<int>{4, 5}));
    EXPECT_EQ(median_ns({}), 0U);
    EXPECT_EQ(median_ns({{0, 4, true}}), 4U);
}

TEST(Advice, elsewhere_below_a_tenth) {
    EXPECT_FALSE(advise_elsewhere(0.10));
    const std::optional<Advice> advice = advise_elsewhere(0.04);
    ASSERT_TRUE(advice);
    EXPECT_DOUBLE_EQ(advice->share, 0.96);
    EXPECT_EQ(advice->text, "Only 4 % of the time is in MPI: look for the rest in the program itself");
}

// 5 % of 300 ms are 15.
TEST(Advice, late_is_who_has_less_than_the_median_by_a_twentieth_of_the_run) {
    EXPECT_EQ(late_text(waits_of({271, 270, 269, 272, 271, 256})), "");
    EXPECT_EQ(late_text(waits_of({261, 270, 269, 272, 271, 184, 279, 271})),
              "Rank 5 (n2) comes late: 184 ms in MPI, the others 261 ms to 279 ms. They wait some "
              "86.5 ms of 300 ms: give it less to do. All ranks");
    EXPECT_DOUBLE_EQ(advise_late(waits_of({100, 100, 70, 100}), 300 * kMs, "f")->share, 0.1);
    EXPECT_EQ(late_text({}), "");
}

TEST(Advice, late_can_be_a_node_or_a_switch) {
    EXPECT_EQ(late_text(waits_of({270, 270, 180, 190, 270, 270})),
              "The 2 ranks of n1 come late: 185 ms in MPI on average, the others 270 ms to 270 ms. They "
              "wait some 85.0 ms of 300 ms: give them less to do. All ranks");
    EXPECT_EQ(late_text(waits_of({270, 270, 270, 270, 180, 190, 200, 190, 270, 270})).substr(0, 27),
              "The 4 ranks of s1 come late");
    EXPECT_EQ(late_text(waits_of({270, 270, 270, 270, 180, 190})).substr(0, 17), "The 2 ranks of n2")
        << "and not of s1, which has these alone";
}

TEST(Advice, late_is_nobody_who_never_waits) {
    Waits waits = waits_of({270, 0, 270, 270});
    waits.ranks.front().has_waits = false;
    EXPECT_EQ(late_text(waits), "");
}

// 50 % leave their node, the lane switch sends 12 of 24 less, beyond 1 of 6.
TEST(Advice, order_by_the_lane_that_saves_most) {
    Plan plan;
    plan.before = {0, 30, 0, 0, 24, 0, 0, 6, 0};
    plan.after = {0, 43, 0, 0, 12, 0, 0, 5, 0};
    const std::optional<Advice> advice = advise_order(plan, 0.6, "job.json");
    ASSERT_TRUE(advice);
    EXPECT_DOUBLE_EQ(advice->share, 0.12);
    EXPECT_EQ(advice->text,
              "50 % of the bytes leave their node. Another order of ranks sends 50 % less over lane "
              "switch");
    EXPECT_EQ(advice->command, "hitopo order job.json --format hostfile --output hosts");
    plan.after = {0, 33, 0, 0, 22, 0, 0, 6, 0};
    EXPECT_FALSE(advise_order(plan, 0.6, "job.json")) << "8 %";
    plan.after = plan.before;
    EXPECT_FALSE(advise_order(plan, 0.6, "job.json"));
    EXPECT_FALSE(advise_order({}, 0.6, "job.json"));
}

TEST(Advice, reorder_where_ranks_stay) {
    OrderCount order = {"MPI_Cart_create",  32,       1,       "bisection", false, false,
                        {"switch", "node"}, {24, 56}, {24, 42}};
    const std::optional<Advice> advice = advise_reorder({order}, 0.5);
    ASSERT_TRUE(advice);
    EXPECT_DOUBLE_EQ(advice->share, 0.125);
    EXPECT_EQ(advice->text,
              "MPI_Cart_create of 32 processes with reorder = 1: with other ranks 25 % less crosses the "
              "level node (pairs of neighbours)");
    order.after = {24, 52};
    EXPECT_FALSE(advise_reorder({order}, 0.5)) << "7 %";
    order.after = {24, 0};
    order.is_applied = true;
    EXPECT_FALSE(advise_reorder({order}, 0.5));
}

TEST(Advice, serving_of_collectives_between_nodes) {
    EXPECT_TRUE(advise_serving(0.21, 2, false));
    EXPECT_FALSE(advise_serving(0.20, 2, false));
    EXPECT_FALSE(advise_serving(0.90, 1, false));
    EXPECT_FALSE(advise_serving(0.90, 2, true));
    for (const char* function : {"MPI_Bcast", "MPI_Iallreduce", "MPI_Barrier_init", "MPI_Alltoall_c"}) {
        EXPECT_TRUE(can_be_served(function)) << function;
    }
    for (const char* function : {"MPI_Gather", "MPI_Neighbor_alltoall", "MPI_Send", "MPI_", "x"}) {
        EXPECT_FALSE(can_be_served(function)) << function;
    }
}

// Calls of one function that take so many nanoseconds.
TrafficSums tests(const char* name, std::uint64_t count, std::uint64_t messages, std::uint64_t ns) {
    TrafficSums sums;
    sums.by_call = {{{name, count, 0, ns}, 1, ns, ns}};
    sums.messages = messages;
    return sums;
}

TEST(Advice, tests_beyond_ten_a_message) {
    EXPECT_FALSE(advise_tests(tests("MPI_Test", 1000, 100, 50), 100, "f"));
    EXPECT_FALSE(advise_tests(tests("MPI_Test", 1100, 100, 9), 1000, "f"));
    EXPECT_FALSE(advise_tests(tests("MPI_Recv", 1100, 100, 50), 100, "f"));
    const std::optional<Advice> advice =
        advise_tests(tests("MPI_Testany", 1070000, 62325, 53), 100, "f");
    ASSERT_TRUE(advice);
    EXPECT_EQ(
        advice->text,
        "Tests such as MPI_Testany were called 1.07 M times, 17 for each message, and took 53 % of "
        "the time: a process spins where it could wait (MPI_Waitany) or compute. By communicator");
    EXPECT_TRUE(advise_tests(tests("MPI_Iprobe", 1, 0, 50), 100, "f"));
}

TEST(Advice, short_messages_and_files) {
    EXPECT_FALSE(advise_short(0.5, 0.5, "f"));
    EXPECT_FALSE(advise_short(0.9, 0.09, "f"));
    EXPECT_EQ(advise_short(0.9, 0.1, "f")->text,
              "90 % of the messages are below 1 KiB, and starting and sending take 10 % of the time: "
              "send several as one. By communicator");
    EXPECT_FALSE(advise_files(0.09));
    EXPECT_DOUBLE_EQ(advise_files(0.1)->share, 0.1);
}

// A ring of 8 ranks, dealt out to two nodes, that waits for half of its time.
TEST(Next, three_at_most_and_the_largest_first) {
    const Result<Profile> read = changed_profile([](Json& document) {
        document["processes"][2]["unknown_pairs"] = {0, 0};
        document["processes"][0]["pairs"] = {{2, 1, 1000}};
        document["processes"][1]["pairs"] = {{3, 1, 1000}};
        document["processes"][2]["pairs"] = {{0, 1, 1000}};
        document["processes"][3]["pairs"] = {{1, 1, 1000}};
        document["processes"][0]["kinds"][0]["calls"].push_back({"MPI_File_write", 1, 0, 900000});
        document["processes"][0]["kinds"][0]["calls"].push_back({"MPI_Iprobe", 900, 0, 100000});
    });
    ASSERT_TRUE(read.is_ok()) << read.error().value;
    const ProfileSums sums = sum_up(*read);
    const Next next = what_next(*read, sums, who_waits(*read, sums), "my job's.json");
    ASSERT_EQ(next.advice.size(), 3U);
    EXPECT_EQ(next.advice[0].text.substr(0, 11), "Rank 2 (n2)");
    EXPECT_EQ(next.advice[0].command,
              R"(hitopo report 'my job'\''s.json' --format html --output report.html)");
    EXPECT_EQ(next.advice[1].text.substr(0, 35), "100 % of the bytes leave their node");
    EXPECT_EQ(next.advice[2].command, "mpirun --mca io ^ompio ..");
    EXPECT_TRUE(next.sentences.empty());
}

TEST(Next, else_says_what_was_looked_for) {
    const Result<Profile> read = changed_profile([](Json& document) {
        document["processes"][2]["unknown_pairs"] = {0, 0};
        for (Json& process : document["processes"]) {
            process["pairs"] = Json::array();
            process["kinds"] = {{{"id", 0},
                                 {"made", 1},
                                 {"calls", {{"MPI_Recv", 1, 0, 500000}}},
                                 {"lanes", Json::array()},
                                 {"sizes", Json::array()}}};
        }
    });
    ASSERT_TRUE(read.is_ok()) << read.error().value;
    const ProfileSums sums = sum_up(*read);
    const Next next = what_next(*read, sums, who_waits(*read, sums), "-");
    EXPECT_TRUE(next.advice.empty());
    EXPECT_EQ(next.sentences,
              (std::vector<std::string>{"No order of ranks found sends less between nodes.",
                                        "No rank comes late."}));
}

}  // namespace
}  // namespace hitopo::tool
