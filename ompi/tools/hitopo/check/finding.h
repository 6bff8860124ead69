// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo check` finds. The rules list occurrences, one for each place; equal ones become one
// finding, so that there are few however many ranks there are.
#ifndef OMPI_TOOLS_HITOPO_CHECK_FINDING_H
#define OMPI_TOOLS_HITOPO_CHECK_FINDING_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/tools/hitopo/check/placement.h"

namespace hitopo::tool {

// Faults first, in the order in which they are told.
enum class FindingKind {
    kOverloadedNode,  // more processes on a node than its machine has CPUs
    kQuota,           // more processes than the quota of CPU time that they share has CPUs
    kSharedCore,      // processes bound to one core that get into each other's way
    kSharedCpus,      // more processes bound to some CPUs, of several cores, than these are
    kUnbound,         // may run on all of its node while others are bound
    kSeveralSockets,  // may run on several sockets while others are bound
    kThreads,         // fewer CPUs than OMP_NUM_THREADS: a remark unless the program uses OpenMP
    kSharedThreads,   // likewise: fewer CPUs than the threads of all processes that share them
    kQuotaThreads,    // likewise: a quota of fewer CPUs than the threads of the processes that share it
    kLevel,           // a level that only some nodes know
    kHwThreads,       // remarks from here on: hardware threads of one core, while cores are free
    kOneSocket,       // all of a node's processes on one of its sockets
    kAcrossSockets,   // may run on several sockets, and nobody is bound
    kLoad,            // nodes of unequal load
    kOrder,           // nodes out of the fabric's order
    kSwitches,        // more switches than seem needed
};

std::string_view kind_name(FindingKind kind);  // "shared-core": the word of docs/json.md

// One place where something is wrong.
struct Occurrence {
    FindingKind kind = FindingKind::kOverloadedNode;
    int count = 0;  // its figures, as the kind has them (occurrences.cc)
    int of = 0;
    std::vector<int> ranks;
    std::size_t node = 0;
    std::string where = {};  // inside the node: "CPU 0"; may be empty
};

struct Finding {
    FindingKind kind = FindingKind::kOverloadedNode;
    std::vector<int> ranks;          // ascending; empty: it is about nodes
    std::vector<std::size_t> nodes;  // ascending
    std::string text;                // what is wrong, with the figure; names as the document has them
    std::string remedy;              // a sentence
    bool is_remark = false;          // else a fault
};

// One finding for each kind and figures; one for all figures of a kind where they are many.
std::vector<Finding> to_findings(const std::vector<Occurrence>& occurrences, const Placement& placement);

// "node n1", "8 nodes (n[1-8])"; long lists end in "..".
std::string nodes_phrase(const std::vector<std::size_t>& nodes, const Placement& placement);

}  // namespace hitopo::tool

#endif
