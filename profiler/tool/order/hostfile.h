// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Open MPI's hostfile as mpirun reads it: one grammar in 4.1 and 5.0 (orte/util/hostfile,
// prrte/src/util/hostfile).
#ifndef PROFILER_TOOL_ORDER_HOSTFILE_H
#define PROFILER_TOOL_ORDER_HOSTFILE_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "profiler/tool/order/hosts.h"

namespace hitopo::tool {

struct Hostfile {
    std::vector<ListedHost> lines;  // in their order; a host can occur again
    // Each host once, as a launch by slot fills them: one with several lines has a slot for each line
    // that gives none. Without slots: one line that gives none, where mpirun takes the host's cores.
    std::vector<ListedHost> hosts;
};

// Refuses what mpirun refuses, or takes for a host that cannot be (node1:2). Errors have line and
// column; kTooLarge over kMaxSlots slots or lines.
Result<Hostfile> parse_hostfile(std::string_view text, const std::string& where);

// The lines as a list with one for each rank: one without slots is a rank.
std::vector<Host> as_ranks(const std::vector<ListedHost>& lines);

}  // namespace hitopo::tool

#endif
