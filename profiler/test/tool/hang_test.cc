// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// hang_find.cc, hang_read.cc, hang_text.cc.
#include "profiler/tool/hang/hang.h"

#include <numeric>

#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::int64_t kNow = 1000;
constexpr std::uint64_t kWorld = 7;
using Ranks = std::vector<int>;

template <std::size_t kBytes>
void put(char (&to)[kBytes], const std::string& text) {
    to[text.copy(to, kBytes - 1)] = '\0';
}

// A job whose processes are outside of MPI since 60 s, until the test says otherwise.
class Job {
public:
    explicit Job(int size) {
        hang.size = size;
        hang.written = kNow;
        for (int rank = 0; rank < size; ++rank) {
            WatchedProcess& process = hang.processes[rank];
            process = {};
            process.rank = rank;
            process.pid = 4700 + rank;
            process.state = 'R';
            put(process.host, "n" + std::to_string(rank / 4));
            process.num_threads = process.num_comms = 1;
            process.comms[0] = {kWorld, 0, size, "WORLD", ""};
            outside(rank, 60);
        }
    }

    WatchedThread& thread(int rank) { return process(rank).threads[0]; }
    WatchedProcess& process(int rank) { return hang.processes.at(rank); }
    std::uint64_t& begun(int rank) { return process(rank).comms[0].num_begun; }
    void outside(int rank, int seconds) {
        thread(rank) = {};
        thread(rank).since = kNow - seconds;
    }
    void wait(int rank, const std::string& function, const std::vector<WatchedWait>& waits) {
        outside(rank, 60);
        put(thread(rank).function, function);
        thread(rank).num_waits = static_cast<int>(waits.size());
        std::copy(waits.begin(), waits.end(), thread(rank).waits);
    }
    void collective(int rank, const std::string& function, std::uint64_t number) {
        wait(rank, function, {{number, profile::kUnknownPeer, profile::kAnyTag, 0, 'c'}});
        begun(rank) = number;
    }
    void all_in(const std::string& function, std::uint64_t number) {
        for (int rank = 0; rank < hang.size; ++rank) {
            collective(rank, function, number);
        }
    }
    void receive(int rank, int from, int tag = profile::kAnyTag) {
        wait(rank, "MPI_Recv", {{0, from, tag, 0, 'r'}});
    }
    // It began less than the others, and is outside of MPI.
    void late(int rank) {
        outside(rank, 63);
        --begun(rank);
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
    job.begun(13) = 639;
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
    put(job.thread(1).function, "MPI_Test");
    job.thread(1).polls = true;
    EXPECT_EQ(caused(job, Cause::kPolling), Ranks{1});
    job.hang.processes.erase(1);
    EXPECT_EQ(caused(job, Cause::kSilent), Ranks{1});
}

TEST(Hang, who_has_passed_a_collective_is_not_waited_for) {
    Job job(4);
    job.all_in("MPI_Reduce", 5);
    for (const int rank : {1, 2}) {
        job.outside(rank, 0);  // left it early, and computes
    }
    job.late(3);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{3});
}

TEST(Hang, receives_from_each_other_are_a_deadlock) {
    Job job(4);
    job.receive(0, 1);
    job.receive(1, 0);
    job.collective(2, "MPI_Barrier", 1);
    job.collective(3, "MPI_Barrier", 1);
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 1}}));
    job.receive(1, 1);
    EXPECT_EQ(cycles(job), std::vector<Ranks>{Ranks{1}});
}

TEST(Hang, a_receive_against_MPI_Finalize_is_a_deadlock) {
    Job job(3);
    job.receive(0, 2);
    job.wait(1, "MPI_Finalize", {});
    job.wait(2, "MPI_Finalize", {});
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 2}}));
}

TEST(Hang, a_receive_from_any_rank_waits_for_one_that_can_go_on) {
    Job job(3);
    job.receive(0, profile::kAnyPeer);
    job.receive(1, 0);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{2});
    job.receive(2, 0);
    EXPECT_EQ(cycles(job), (std::vector<Ranks>{{0, 1}}));
}

// Rank 2, on which rank 0 can wait, too, waits for one outside of MPI.
TEST(Hang, a_receive_from_any_rank_is_no_deadlock_where_one_of_them_can_come) {
    Job job(4);
    job.process(0).comms[0] = job.process(1).comms[0] = job.process(2).comms[0] = {9, 0, 3, "part", ""};
    job.receive(0, profile::kAnyPeer);
    job.receive(1, 0);
    job.receive(2, 3);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{3});
}

TEST(Hang, requests_wait_for_their_peers_and_for_who_has_not_started_the_collective) {
    Job job(3);
    job.wait(0, "MPI_Waitall", {{0, 1, profile::kAnyTag, 0, 'r'}});
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
    for (const int rank : {0, 2}) {
        job.wait(rank, "MPI_Wait", {{7, profile::kUnknownPeer, profile::kAnyTag, 0, 'i'}});
        job.begun(rank) = 7;
    }
    job.begun(1) = 6;
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
    job.begun(1) = 7;  // a persistent one, or one that needs it to progress
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
}

TEST(Hang, a_thread_that_waits_for_orders_hides_no_thread_outside) {
    Job job(2);
    job.all_in("MPI_Barrier", 2);
    job.late(1);
    for (const int rank : {0, 1}) {
        const WatchedThread own = job.thread(rank);
        job.receive(rank, 1 - rank);
        job.process(rank).threads[1] = job.thread(rank);
        job.thread(rank) = own;
        job.process(rank).num_threads = 2;
    }
    EXPECT_EQ(caused(job, Cause::kThread), Ranks{1});
}

TEST(Hang, collectives_that_differ_are_named) {
    Job job(4);
    job.all_in("MPI_Allreduce", 641);
    job.collective(3, "MPI_Bcast", 641);
    std::vector<Mismatch> found = find_in(job.hang).mismatches;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].groups, (decltype(found[0].groups){{{641, "MPI_Allreduce"}, {0, 1, 2}},
                                                          {{641, "MPI_Bcast"}, {3}}}));
    job.collective(3, "MPI_Allreduce", 640);
    found = find_in(job.hang).mismatches;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].groups.begin()->second, Ranks{3});
    EXPECT_TRUE(find_in(job.hang).cycles.empty());
}

TEST(Hang, who_is_behind_and_waits_for_somebody_is_no_mismatch) {
    Job job(4);
    job.all_in("MPI_Allreduce", 6);
    job.collective(0, "MPI_Reduce", 5);  // its root
    job.late(3);
    job.begun(3) = 4;
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{3});
}

// Ranks 0-1 and 2-3; a rank without news can be a member of each.
TEST(Hang, rows_of_one_split_do_not_mix) {
    Job job(4);
    for (int rank = 0; rank < 4; ++rank) {
        job.process(rank).comms[0] = {rank < 2 ? 8U : 9U, 0, 2, "split of WORLD", ""};
    }
    job.collective(0, "MPI_Allreduce", 9);
    job.collective(2, "MPI_Bcast", 9);
    job.collective(3, "MPI_Bcast", 9);
    EXPECT_EQ(caused(job, Cause::kOutside), Ranks{1});
    job.hang.processes.erase(1);
    EXPECT_EQ(caused(job, Cause::kSilent), Ranks{1});
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
    job.receive(13, 12, 7);
    job.begun(13) = 639;
    for (int rank = 28; rank < 32; ++rank) {
        job.hang.processes.erase(rank);  // node7
    }
    for (int rank = 16; rank < 20; ++rank) {
        job.process(rank).state = 'T';
    }
    put(job.process(0).comms[0].name, "row");
    const std::string text = format_hang(job.hang, Charset::kAscii);
    EXPECT_EQ(text.substr(0, text.find(';')), "32 processes, 8 nodes, 2 switches");
    EXPECT_EQ(
        text.substr(text.find('\n') + 1),
        "  21 wait in MPI_Allreduce number 640 of WORLD, since 60 s\n"
        "   4 ranks 16-19 (node4, switch leaf1) are stopped by a signal or a debugger, last seen in "
        "MPI_Allreduce number 640 of WORLD, since 60 s\n"
        "   4 ranks 28-31 (node7, switch leaf1) without news\n"
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
    job.collective(1, "MPI_Bcast", 641);
    EXPECT_NE(format_hang(job.hang, Charset::kAscii)
                  .find("\nCollectives of WORLD differ: rank 0 is in MPI_Allreduce number 641, rank 1 "
                        "is in MPI_Bcast number 641."),
              std::string::npos);
}

// ---- files ----

std::string bytes_of(const char* begun, const Job& job) {
    profile::WatchedHead head = {"", kNow, sizeof(WatchedProcess), job.hang.size, ""};
    std::copy(std::begin(profile::kWatchedMagic), std::end(profile::kWatchedMagic), head.magic);
    put(head.job, begun);
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    for (const auto& [rank, process] : job.hang.processes) {
        bytes.append(reinterpret_cast<const char*>(&process), sizeof process);
    }
    return bytes;
}

TEST(HangFile, of_the_job_that_began_last_counts) {
    Job job(8);
    job.receive(1, 0, 5);
    Hang hang;
    ASSERT_TRUE(add_records(bytes_of("2", job), hang));
    EXPECT_EQ(hang.written, kNow);
    EXPECT_EQ(hang.processes.size(), 8U);
    EXPECT_EQ(hang.processes.at(1).threads[0].waits[0].tag, 5);
    EXPECT_TRUE(add_records(bytes_of("1", Job(9)), hang));
    EXPECT_EQ(hang.processes.size(), 8U);
    EXPECT_TRUE(add_records(bytes_of("3", Job(9)), hang));
    EXPECT_EQ(hang.processes.size(), 9U);
    EXPECT_EQ(hang.size, 9);
}

TEST(HangFile, that_is_damaged_is_refused) {
    const std::vector<void (*)(WatchedProcess&)> damages = {
        [](WatchedProcess& process) { process.rank = 3; },
        [](WatchedProcess& process) { process.rank = -1; },
        [](WatchedProcess& process) { process.num_threads = profile::kMaxThreads + 1; },
        [](WatchedProcess& process) { process.num_comms = profile::kMaxComms + 1; },
        [](WatchedProcess& process) { process.threads[0].num_waits = -1; },
        [](WatchedProcess& process) { process.threads[0].waits[0].comm = 1; },
        [](WatchedProcess& process) { process.threads[0].waits[0].comm = -2; },
        [](WatchedProcess& process) { process.threads[0].waits[0].peer = 3; },
        [](WatchedProcess& process) { std::fill_n(process.host, sizeof process.host, 'x'); },
        [](WatchedProcess& process) { std::fill_n(process.comms[0].kind, 60, 'x'); }};
    for (const auto& damage : damages) {
        Job job(3);
        job.receive(1, 0);
        Hang hang;
        EXPECT_TRUE(add_records(bytes_of("2", job), hang));
        damage(job.process(1));
        EXPECT_FALSE(add_records(bytes_of("2", job), hang)) << &damage - damages.data();
    }
    const std::string bytes = bytes_of("2", Job(3));
    for (std::size_t size = 0; size < bytes.size(); size += 111) {
        Hang hang;
        const bool is_whole = size >= sizeof(profile::WatchedHead) &&
                              (size - sizeof(profile::WatchedHead)) % sizeof(WatchedProcess) == 0;
        EXPECT_EQ(add_records(bytes.substr(0, size), hang), is_whole) << size;
    }
    Hang hang;
    EXPECT_FALSE(add_records("{}" + bytes, hang));
}

TEST(HangFile, that_is_missing_is_an_error_with_the_remedy) {
    const Result<Hang> hang = open_hang({"/nonexistent"});
    ASSERT_FALSE(hang.is_ok());
    EXPECT_NE(hang.error().message.find("hitopo_prof_watch"), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
