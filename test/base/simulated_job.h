// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Init of a job without MPI: each process is a fork of this one, messages go through sockets, and
// what processes announce lies in shared memory. base runs as it is, over
// functions hitopo_glue_* of our own, so that each allocation and each message can fail in turn: a job
// takes some milliseconds.
#ifndef TEST_BASE_SIMULATED_JOB_H
#define TEST_BASE_SIMULATED_JOB_H

#include <set>
#include <string>
#include <vector>

namespace hitopo {

struct SimulatedJob {
    static constexpr int kNobody = -1, kEverybody = -2;

    // The ranks of each node, "0,1,2/3,4", as the launcher reports them to PMIx and as they are: node
    // names are node0, node1, ..
    std::string nodes;
    // What the launcher reports to this rank, or everybody, instead: "" is nothing but the own node.
    int misinformed_rank = kNobody;
    std::string reported_nodes;
    // Ranks that run without HiTopo.
    std::set<int> without;
    // Names of nodes get so many bytes more; a process's record takes two messages from 8 KiB
    // on.
    std::size_t more_name_bytes = 0;

    // What goes wrong, at one rank. Allocations are counted from 1 on, messages too.
    enum class Fault {
        kNone,
        kAllocation,  // num_faults allocations fail, from number first_fault on; announcing is one, too
        kMessage,     // this message arrives, and its sender gets an error
        kDeath        // instead of this message
    };
    Fault fault = Fault::kNone;
    int faulty_rank = kNobody;
    long first_fault = 1, num_faults = 1;
};

// What became of one process.
struct SimulatedProcess {
    bool is_over = false;  // MPI_Init returned
    bool has_tree = false;
    std::vector<int> nodes;             // the number of each rank's node, by its tree
    std::vector<std::string> messages;  // to the user: "topic: value, value"
    long num_allocations = 0, num_messages = 0, num_lookups = 0;
};

// By rank. Where a process dies, the others are ended, as mpirun does. Where one waits for ever, the
// test fails.
std::vector<SimulatedProcess> run(const SimulatedJob& job);

}  // namespace hitopo

#endif
