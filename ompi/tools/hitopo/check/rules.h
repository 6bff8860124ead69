// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The rules of `hitopo check`, each a pure function of a job's placement. All of them are O(P log P) but
// for what differs from node to node.
#ifndef OMPI_TOOLS_HITOPO_CHECK_RULES_H
#define OMPI_TOOLS_HITOPO_CHECK_RULES_H

#include "ompi/tools/hitopo/check/finding.h"

namespace hitopo::tool {

// More processes or threads than CPUs: on a node, on a core, on other CPUs; and processes on the
// hardware threads of one core. A node that is overloaded as a whole is said once: its cores only count
// while others are idle.
void find_sharing(const Placement& placement, std::vector<Occurrence>& found);

// More processes or threads than a quota of CPU time has CPUs.
void find_quota(const Placement& placement, std::vector<Occurrence>& found);

// Processes that may run on several sockets, or on all of their node; and those that are on one socket
// while nobody is on the others.
void find_unbound(const Placement& placement, std::vector<Occurrence>& found);

// Processes with fewer CPUs than threads.
void find_threads(const Placement& placement, std::vector<Occurrence>& found);

// Levels that only some nodes know.
void find_levels(const Placement& placement, std::vector<Finding>& found);

// Nodes of unequal load.
void find_load(const Placement& placement, std::vector<Finding>& found);

// Nodes out of the fabric's order, and more switches than nodes seem to need.
void find_order(const Placement& placement, std::vector<Finding>& found);
void find_switches(const Placement& placement, std::vector<Finding>& found);

// What the rules could not look at, a line each.
std::vector<std::string> find_unchecked(const Placement& placement);

// All of it: faults, then remarks. uses_openmp: the program does for certain, so that too many threads
// are faults.
struct Checked {
    std::vector<Finding> findings;
    std::vector<std::string> unchecked;
};
Checked check_placement(const Placement& placement, bool uses_openmp);

}  // namespace hitopo::tool

#endif
