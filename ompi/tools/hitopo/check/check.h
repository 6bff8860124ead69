// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The rules of `hitopo check`, each a pure function of a job's placement, and what they find. Those
// about processes list occurrences, one for each place; equal ones become one finding, so that there are
// few however many ranks there are.
#ifndef OMPI_TOOLS_HITOPO_CHECK_CHECK_H
#define OMPI_TOOLS_HITOPO_CHECK_CHECK_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
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

// More processes or threads than CPUs: on a node, on a core, on other CPUs, or of a quota of CPU time;
// and processes on the hardware threads of one core. A node that is overloaded as a whole is said once:
// its cores only count while others are idle.
void find_sharing(const Placement& placement, std::vector<Occurrence>& found);

// Processes that may run on several sockets, or on all of their node; those that are on one socket while
// nobody is on the others; and those with fewer CPUs than threads.
void find_unbound(const Placement& placement, std::vector<Occurrence>& found);

// Levels that only some nodes know; nodes of unequal load; and nodes out of the fabric's order.
void find_levels(const Placement& placement, std::vector<Finding>& found);
void find_load(const Placement& placement, std::vector<Finding>& found);
void find_order(const Placement& placement, std::vector<Finding>& found);

// What the rules could not look at, a line each.
std::vector<std::string> find_unchecked(const Placement& placement);

// One finding for each kind and figures; one for all figures of a kind where they are many.
std::vector<Finding> to_findings(const std::vector<Occurrence>& occurrences, const Placement& placement);

// "node n1", "8 nodes (n[1-8])"; long lists end in "..".
std::string nodes_phrase(const std::vector<std::size_t>& nodes, const Placement& placement);

// All of it: faults, then remarks. uses_openmp: the program does for certain, so that too many threads
// are faults.
struct Checked {
    std::vector<Finding> findings;
    std::vector<std::string> unchecked;
};
Checked check_placement(const Placement& placement, bool uses_openmp);

bool has_faults(const Checked& checked);

// A line with the counts, one for each finding, one for each thing that could not be checked.
std::string format_check(const Checked& checked, const Placement& placement, Charset charset);

// The document `check` of docs/json.md. `version` is the table's.
Json check_document(const Checked& checked, const Placement& placement, const std::string& version);

}  // namespace hitopo::tool

#endif
