// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Init of whole jobs: what the launcher reports of nodes, which processes lack HiTopo, and each
// allocation, message and process that may fail on the way.
// Tests lifecycle.cc, trees.cc, tree_cache.cc and help_texts.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/base/simulated_job.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

using Fault = SimulatedJob::Fault;
using Processes = std::vector<SimulatedProcess>;

SimulatedJob on(const std::string& nodes) {
    SimulatedJob job;
    job.nodes = nodes;
    return job;
}

SimulatedJob misinformed(const std::string& nodes, int rank, const std::string& reported) {
    SimulatedJob job = on(nodes);
    job.misinformed_rank = rank;
    job.reported_nodes = reported;
    return job;
}

int num_trees(const Processes& processes) {
    int num = 0;
    for (const SimulatedProcess& process : processes) {
        num += process.has_tree ? 1 : 0;
    }
    return num;
}

std::vector<std::string> messages(const Processes& processes) {
    std::vector<std::string> all;
    for (const SimulatedProcess& process : processes) {
        all.insert(all.end(), process.messages.begin(), process.messages.end());
    }
    return all;
}

// Nodes are numbered by their names, which their order in the text gives.
std::vector<int> expected_nodes(const std::string& text) {
    std::vector<int> nodes;
    int node = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '/') {
            ++node;
        } else if (text[at] != ',') {
            const auto rank = static_cast<std::size_t>(text[at] - '0');  // one digit
            nodes.resize(std::max(nodes.size(), rank + 1));
            nodes[rank] = node;
        }
    }
    return nodes;
}

void expect_right_trees(const SimulatedJob& job, const Processes& processes) {
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        if (processes[rank].has_tree) {
            EXPECT_EQ(processes[rank].nodes, expected_nodes(job.nodes)) << "rank " << rank;
        }
    }
}

void expect_all_have_a_tree(const SimulatedJob& job, const Processes& processes) {
    EXPECT_EQ(num_trees(processes), static_cast<int>(processes.size()));
    EXPECT_EQ(messages(processes), std::vector<std::string>());
    expect_right_trees(job, processes);
}

TEST(Start, nodes_may_have_any_ranks) {
    for (const char* nodes :
         {"0,1,2,3/4,5,6,7", "0,3,6/1,4,7/2,5", "4,5/6,7/0,1/2,3", "0/1/2,3,4/5/6,7"}) {
        SCOPED_TRACE(nodes);
        const SimulatedJob job = on(nodes);
        const Processes processes = run(job);
        expect_all_have_a_tree(job, processes);
        // Its leader, and two others in each of three rounds.
        EXPECT_LE(processes[7].num_lookups, 7);
    }
}

TEST(Start, where_the_launcher_reports_no_nodes_each_is_a_group) {
    const SimulatedJob job = misinformed("0,1,2,3/4,5,6,7", SimulatedJob::kEverybody, "");
    expect_all_have_a_tree(job, run(job));
}

TEST(Start, a_rank_with_a_report_of_other_nodes_changes_no_tree) {
    for (int rank = 0; rank < 8; ++rank) {
        for (const char* reported :
             {"", "0,1,2,3,4,5,6,7", "0,1/2,3/4,5,6,7", "0,4/1,5/2,6/3,7", "0/1/2/3/4/5/6/7"}) {
            SCOPED_TRACE("rank " + std::to_string(rank) + " has the report " + reported);
            const SimulatedJob job = misinformed("0,1,2,3/4,5,6,7", rank, reported);
            expect_all_have_a_tree(job, run(job));
        }
    }
}

TEST(Start, without_hitopo_in_one_process_nobody_has_a_tree) {
    for (const char* nodes : {"0,1,2/3,4,5/6,7,8", "0,1,2,3,4,5,6,7,8", "0,3,6/1,4,7/2,5,8"}) {
        for (int rank = 0; rank < 9; ++rank) {
            SCOPED_TRACE("rank " + std::to_string(rank) + " of " + nodes);
            SimulatedJob job = on(nodes);
            job.without = {rank};
            const Processes processes = run(job);
            EXPECT_EQ(num_trees(processes), 0);
            const std::string lowest_present = rank == 0 ? "1" : "0";
            EXPECT_EQ(messages(processes),
                      std::vector<std::string>{"mixed-job: rank " + std::to_string(rank) +
                                               " does not run it, " + lowest_present});
        }
    }
}

// Faults are tried in turn: at a leader that is rank 0, at a member, and at another leader.
constexpr const char* kTwoNodes = "0,1,2/3,4,5";
constexpr int kSomeRanks[] = {0, 1, 3};

// Under sanitizers, which look for other mistakes, every tenth moment of many will do.
constexpr long stride_of(long num_moments) { return num_moments < 50 ? 1 : 10 / random_cases(10); }

// Calls test(job, processes) for each moment at which job.fault may begin at that rank, of as many as a
// healthy job has: at each other one for good.
template <class Test>
void try_each_moment(SimulatedJob job, int rank, long SimulatedProcess::*num_moments, Test test) {
    const Fault fault = std::exchange(job.fault, Fault::kNone);
    const long num = run(job)[static_cast<std::size_t>(rank)].*num_moments;
    ASSERT_GT(num, 0);
    job.fault = fault;
    job.faulty_rank = rank;
    for (job.first_fault = 1; job.first_fault <= num; job.first_fault += stride_of(num)) {
        job.num_faults = job.first_fault % 2 == 0 ? 1 : LONG_MAX;
        SCOPED_TRACE("moment " + std::to_string(job.first_fault) + " of " + std::to_string(num) +
                     " of rank " + std::to_string(rank) + " of " + job.nodes);
        test(job, run(job));
    }
}

// The job ended by one message of that rank, or nothing was missed.
void expect_ended(int rank, int code, const SimulatedJob& job, const Processes& processes) {
    if (messages(processes).empty()) {
        expect_all_have_a_tree(job, processes);
        return;
    }
    EXPECT_EQ(messages(processes), std::vector<std::string>{"ended-job: rank " + std::to_string(rank) +
                                                            ", MPI_Init, code " + std::to_string(code)});
    EXPECT_FALSE(processes[static_cast<std::size_t>(rank)].is_over);
    expect_right_trees(job, processes);
}

// A process that could not announce itself is missing: a message names it, and it waits for no other.
void expect_ended_without_memory(const SimulatedJob& job, const Processes& processes) {
    const std::vector<std::string> all = messages(processes);
    if (all.size() == 1 &&
        all[0].find("mixed-job: rank " + std::to_string(job.faulty_rank) + " ") == 0) {
        EXPECT_EQ(num_trees(processes), 0);
    } else {
        expect_ended(job.faulty_rank, kErrorOutOfResource, job, processes);
    }
}

TEST(Start, a_process_that_lacks_memory_ends_the_job) {
    for (const int rank : kSomeRanks) {
        // In the second shape lists of leaders of groups of different sizes are long.
        SimulatedJob job = on(rank == 1 ? "0/1,2/3/4,5/6/7" : kTwoNodes);
        job.fault = Fault::kAllocation;
        int num_ended = 0;
        try_each_moment(job, rank, &SimulatedProcess::num_allocations,
                        [&](const SimulatedJob& failed, const Processes& processes) {
                            expect_ended_without_memory(failed, processes);
                            num_ended += processes[static_cast<std::size_t>(rank)].is_over ? 0 : 1;
                        });
        EXPECT_GT(num_ended, 10);
    }
}

TEST(Start, a_process_whose_message_fails_ends_the_job) {
    constexpr int kErrorOther = 16;  // MPI_ERR_OTHER of Open MPI
    for (const std::size_t more_name_bytes : {0, 9000}) {
        SimulatedJob job = on(kTwoNodes);
        job.more_name_bytes = more_name_bytes;
        job.fault = Fault::kMessage;
        for (const int rank : kSomeRanks) {
            try_each_moment(job, rank, &SimulatedProcess::num_messages,
                            [&](const SimulatedJob& failed, const Processes& processes) {
                                expect_ended(rank, kErrorOther, failed, processes);
                                EXPECT_EQ(messages(processes).size(), 1U);
                            });
        }
    }
}

TEST(Start, a_process_may_die_at_any_message) {
    SimulatedJob job = on(kTwoNodes);
    job.fault = Fault::kDeath;
    for (int rank : kSomeRanks) {
        try_each_moment(job, rank, &SimulatedProcess::num_messages,
                        [rank](const SimulatedJob& died, const Processes& processes) {
                            EXPECT_FALSE(processes[static_cast<std::size_t>(rank)].is_over);
                            expect_right_trees(died, processes);
                        });
    }
}

}  // namespace
}  // namespace hitopo
