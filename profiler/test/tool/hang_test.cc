// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// hang_find.cc, hang_read.cc, hang_text.cc.
#include "profiler/tool/hang/hang.h"

#include <numeric>

#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::int64_t kNow = 1000;
using Ranks = std::vector<int>;

// A job whose processes are outside of MPI since 60 s, until the test says otherwise.
class Job {
public:
    explicit Job(int size) {
        hang.size = size;
        hang.written = kNow;
        for (int rank = 0; rank < size; ++rank) {
            hang.processes.push_back(
                {rank, 4700 + rank, "n" + std::to_string(rank / 4), 'R', {{"", kNow - 60}}, {}, true});
        }
    }

    HangPlace& thread(int rank) { return process(rank).threads.front(); }
    HangProcess& process(int rank) { return hang.processes[static_cast<std::size_t>(rank)]; }
    HangCommunicator world() const {
        Ranks all(hang.processes.size());
        std::iota(all.begin(), all.end(), 0);
        return {"w", "WORLD", "", all};
    }
    // As each process counts what it began: `number` in the end.
    void collective(int rank, const std::string& function, std::uint64_t number,
                    const HangCommunicator& comm) {
        thread(rank).function = function;
        thread(rank).number = number;
        thread(rank).comm = comm;
        process(rank).counts[comm.id] = number;
    }
    void all_in(const std::string& function, std::uint64_t number) {
        for (int rank = 0; rank < hang.size; ++rank) {
            collective(rank, function, number, world());
        }
    }
    void receive(int rank, int from) {
        thread(rank).function = "MPI_Recv";
        thread(rank).number = 0;
        thread(rank).peer = from;
        thread(rank).comm = world();
    }
    void wait(int rank, const std::string& function, std::vector<HangPlace> requests) {
        thread(rank).function = function;
        thread(rank).number = 0;
        thread(rank).num_pending = static_cast<int>(requests.size());
        thread(rank).requests = std::move(requests);
    }
    // It began less than the others, and is outside of MPI.
    void late(int rank) {
        thread(rank) = {"", kNow - 63};
        process(rank).counts["w"] -= 1;
    }

    Hang hang;
};

Ranks caused(const Job& job, Cause cause) {
    const HangFindings findings = find_in(job.hang);
    EXPECT_TRUE(findings.cycles.empty());
    EXPECT_TRUE(findings.mismatches.empty());
    EXPECT_EQ(findings.causes.size(), 1U);
    return findings.causes.count(cause) > 0 ? findings.causes.at(cause) : Ranks();
}
std::vector<Ranks> cycles(const Job& job) {
    const HangFindings findings = find_in(job.hang);
    EXPECT_TRUE(findings.causes.empty());
    return findings.cycles;
}

TEST(Hang, a_rank_that_comes_late_is_the_cause_and_who_waits_for_it_is_not) {
    Job job(32);
    job.all_in("MPI_Allreduce", 640);
    job.late(12);
    job.receive(13, 12);
    job.process(13).counts["w"] = 639;
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{12});
}

TEST(Hang, a_rank_that_is_stopped_or_dead_is_the_cause_even_if_it_began_the_collective) {
    for (const auto& [state, cause] : {std::pair('T', Cause::kStopped), std::pair('-', Cause::kGone)}) {
        Job job(4);
        job.all_in("MPI_Barrier", 3);
        job.process(2).state = state;
        EXPECT_EQ(caused(job, cause), Ranks{2});
    }
}

TEST(Hang, what_is_blocked_in_input_or_polls_or_is_silent_is_told_apart) {
    Job job(4);
    job.all_in("MPI_Barrier", 3);
    job.late(1);
    job.process(1).state = 'D';
    EXPECT_EQ(caused(job, Cause::kBlocked), Ranks{1});
    job.process(1).state = 'R';
    job.thread(1).polls = "MPI_Test";
    EXPECT_EQ(caused(job, Cause::kPolling), Ranks{1});
    job.hang.processes.erase(job.hang.processes.begin() + 1);
    EXPECT_EQ(caused(job, Cause::kSilent), Ranks{1});
}

TEST(Hang, who_has_passed_a_collective_is_not_waited_for) {
    Job job(4);
    job.all_in("MPI_Reduce", 5);
    for (const int rank : {1, 2}) {
        job.thread(rank) = {"", kNow};  // left it early, and computes
    }
    job.late(3);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{3});
}

TEST(Hang, receives_from_each_other_are_a_deadlock) {
    Job job(4);
    job.receive(0, 1);
    job.receive(1, 0);
    job.collective(2, "MPI_Barrier", 1, job.world());
    job.collective(3, "MPI_Barrier", 1, job.world());
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 1}}));
    job.receive(1, 1);
    EXPECT_EQ(cycles(job), std::vector<Ranks>{Ranks{1}});
}

TEST(Hang, a_receive_against_MPI_Finalize_is_a_deadlock) {
    Job job(3);
    job.receive(0, 2);
    job.thread(1).function = job.thread(2).function = "MPI_Finalize";
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 2}}));
}

TEST(Hang, a_receive_from_any_rank_waits_for_one_that_can_go_on) {
    Job job(3);
    job.receive(0, kAnyPeer);
    job.receive(1, 0);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{2});
    job.receive(2, 0);
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 1}}));
}

TEST(Hang, requests_wait_for_their_peers_and_for_who_has_not_started_the_collective) {
    Job job(3);
    HangPlace receive = {"receive"}, collective = {"collective"};
    receive.peer = 1;
    collective.comm = job.world();
    collective.number = 7;
    job.wait(0, "MPI_Waitall", {receive});
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
    for (const int rank : {0, 2}) {
        job.wait(rank, "MPI_Wait", {collective});
        job.process(rank).counts["w"] = 7;
    }
    job.process(1).counts["w"] = 6;
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
    job.process(1).counts["w"] = 7;  // a persistent one, which it did not start
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
}

TEST(Hang, a_thread_that_waits_for_orders_hides_no_thread_outside) {
    Job job(2);
    job.all_in("MPI_Barrier", 2);
    job.process(1).counts["w"] = 1;
    job.thread(1) = {"", kNow};
    for (const int rank : {0, 1}) {
        HangPlace server;
        server.function = "MPI_Recv";
        server.peer = 1 - rank;
        job.process(rank).threads.push_back(server);
    }
    EXPECT_EQ(caused(job, Cause::kThread), Ranks{1});
}

TEST(Hang, collectives_that_differ_are_named) {
    Job job(4);
    job.all_in("MPI_Allreduce", 641);
    job.thread(3).function = "MPI_Bcast";
    std::vector<Mismatch> found = find_in(job.hang).mismatches;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].groups, (decltype(found[0].groups){{{641, "MPI_Allreduce"}, {0, 1, 2}},
                                                          {{641, "MPI_Bcast"}, {3}}}));
    job.collective(3, "MPI_Allreduce", 640, job.world());
    found = find_in(job.hang).mismatches;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].groups.begin()->second, Ranks{3});
    EXPECT_TRUE(find_in(job.hang).cycles.empty());
}

TEST(Hang, who_is_behind_and_waits_for_somebody_is_no_mismatch) {
    Job job(4);
    job.all_in("MPI_Allreduce", 6);
    job.collective(0, "MPI_Reduce", 5, job.world());  // its root
    job.late(3);
    job.process(3).counts["w"] = 4;
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{3});
}

TEST(Hang, rows_of_one_split_do_not_mix) {
    Job job(4);
    job.collective(0, "MPI_Allreduce", 9, {"a", "split of WORLD", "", {0, 1}});
    job.collective(2, "MPI_Bcast", 9, {"b", "split of WORLD", "", {2, 3}});
    job.collective(3, "MPI_Bcast", 9, {"b", "split of WORLD", "", {2, 3}});
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
}

TEST(Hang, everybody_at_work_is_no_finding) {
    const HangFindings findings = find_in(Job(4).hang);
    EXPECT_TRUE(findings.causes.empty() && findings.cycles.empty() && findings.mismatches.empty());
}

// ---- text ----

TEST(HangText, has_the_largest_group_first_and_names_nodes_and_switches) {
    Job job(32);
    job.hang.table = regular_table(8, 4);
    job.all_in("MPI_Allreduce", 640);
    job.late(12);
    job.receive(13, 12);
    job.thread(13).tag = 7;
    job.process(13).counts["w"] = 639;
    std::vector<HangProcess>& processes = job.hang.processes;
    processes.erase(processes.begin() + 28, processes.end());  // node7
    for (int rank = 16; rank < 20; ++rank) {
        job.process(rank).state = 'T';
    }
    job.thread(0).comm.name = "row";
    const std::string text = format_hang(job.hang, Charset::kAscii);
    EXPECT_EQ(text.substr(0, text.find(';')), "32 processes, 8 nodes, 2 switches");
    EXPECT_EQ(text.substr(text.find('\n') + 1),
              "  21 wait in MPI_Allreduce number 640 of WORLD, since 60 s\n"
              "   4 node node4 (ranks 16-19) are stopped by a signal or a debugger, last seen in "
              "MPI_Allreduce number 640 of WORLD, since 60 s\n"
              "   4 node node7 (ranks 28-31) without news\n"
              "   1 rank 0 (node0, switch leaf0) waits in MPI_Allreduce number 640 of WORLD (\"row\"), "
              "since 60 s\n"
              "   1 rank 12 (node3, switch leaf0) is outside MPI, since 63 s\n"
              "   1 rank 13 (node3, switch leaf0) waits in MPI_Recv from rank 12, tag 7, since 60 s\n"
              "Ranks 16-19 are what the others wait for; stopped.\n"
              "Ranks 28-31 are what the others wait for; without news: on their way, or their node or "
              "network is down.\n"
              "Rank 12 is what the others wait for. To see where rank 16 is: ssh n4 gdb -p 4716\n");
}

TEST(HangText, has_circles_and_differences) {
    Job job(2);
    job.receive(0, 1);
    job.receive(1, 0);
    EXPECT_NE(format_hang(job.hang, Charset::kAscii)
                  .find("\nA deadlock: 0 waits for 1, 1 waits for 0. To see where rank 0 is: "),
              std::string::npos);
    job.all_in("MPI_Allreduce", 641);
    job.thread(1).function = "MPI_Bcast";
    EXPECT_NE(format_hang(job.hang, Charset::kAscii)
                  .find("\nCollectives of WORLD differ: rank 0 is in MPI_Allreduce number 641, rank 1 "
                        "is in MPI_Bcast number 641."),
              std::string::npos);
}

// ---- files ----

const std::string kFile =
    R"({"hitopo": "0.2.0", "schema": 1, "document": "hang", "job": "2", "size": 8, "written": 1000, "processes": [
        {"rank": 1, "pid": 11, "state": "S", "host": "n1", "threads": [
            {"since": 900, "function": "MPI_Waitall", "num_pending": 5, "requests":
                [{"awaits": "receive", "peer": 0, "tag": -3, "number": 4, "comm": {"id": "a", "kind": "WORLD", "name": "x", "ranks": "0-1,7,2-6:2"}}]},
            {"since": 901, "polls": "MPI_Test"}], "counts": {"a": 4}, "has_all_counts": true},
        {"rank": 3, "pid": 13, "state": "-"}]})";

std::string changed(const std::string& what, const std::string& to) {
    std::string text = kFile;
    return text.replace(text.find(what), what.size(), to);
}

TEST(HangFile, is_read) {
    Hang hang;
    ASSERT_EQ(add_file(kFile, hang), "");
    EXPECT_EQ(hang.written, 1000);
    ASSERT_EQ(hang.processes.size(), 2U);
    const HangProcess& process = hang.processes[0];
    EXPECT_EQ(process.host, "n1");
    EXPECT_EQ(process.counts.at("a"), 4U);
    ASSERT_EQ(process.threads.size(), 2U);
    EXPECT_EQ(process.threads[0].since, 900);
    EXPECT_EQ(process.threads[0].num_pending, 5);
    EXPECT_EQ(process.threads[1].polls, "MPI_Test");
    const HangPlace& request = process.threads[0].requests.at(0);
    EXPECT_EQ(request.peer, 0);
    EXPECT_EQ(request.tag, -3);
    EXPECT_EQ(request.comm.ranks, (Ranks{0, 1, 7, 2, 4, 6}));
    EXPECT_TRUE(hang.processes[1].is_gone());
}

TEST(HangFile, of_the_job_that_began_last_counts) {
    Hang hang;
    ASSERT_EQ(add_file(kFile, hang), "");
    EXPECT_NE(add_file(changed("\"2\"", "\"1\""), hang), "");
    EXPECT_EQ(hang.processes.size(), 2U);
    EXPECT_EQ(add_file(changed("\"2\"", "\"3\""), hang), "");
    EXPECT_EQ(hang.processes.size(), 2U);
    EXPECT_EQ(hang.job, "3");
}

TEST(HangFile, that_is_wrong_is_left_out_with_a_reason) {
    for (const auto& [what, to] :
         std::vector<std::pair<std::string, std::string>>{{"\"hang\"", "\"profile\""},
                                                          {"\"schema\": 1", "\"schema\": 2"},
                                                          {"\"size\": 8", "\"size\": 3"},
                                                          {"\"size\": 8", "\"size\": 0"},
                                                          {"\"size\": 8", "\"size\": 1000000000"},
                                                          {"\"peer\": 0", "\"peer\": 8"},
                                                          {"\"peer\": 0", "\"peer\": -4"},
                                                          {"2-6:2", "2-6:0,0-7,0-7"},
                                                          {"2-6:2", "x"},
                                                          {"\"pid\": 11", "\"pid\": -1"},
                                                          {"\"since\": 900", "\"since\": \"\""},
                                                          {"\"S\"", "\"\""},
                                                          {"]}", "]"}}) {
        Hang hang;
        EXPECT_NE(add_file(changed(what, to), hang), "") << what << " -> " << to;
        EXPECT_TRUE(hang.processes.empty());
    }
}

TEST(HangFile, that_is_missing_is_an_error_with_the_remedy) {
    const Result<Hang> hang = open_hang({"/nonexistent"});
    ASSERT_FALSE(hang.is_ok());
    EXPECT_NE(hang.error().message.find("hitopo_prof_watch"), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
