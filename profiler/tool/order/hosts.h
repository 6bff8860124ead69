// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hosts and their slots, as a hostfile or the Slurm job names them.
#ifndef PROFILER_TOOL_ORDER_HOSTS_H
#define PROFILER_TOOL_ORDER_HOSTS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::tool {

struct Host {
    std::string name;
    std::size_t num_slots = 0;
    bool is_open = false;  // no slots are given: 1 of a line, and to mpirun as many as it has cores

    friend bool operator==(const Host& a, const Host& b) {
        return a.name == b.name && a.num_slots == b.num_slots && a.is_open == b.is_open;
    }
};

// Slots of all hosts together.
inline constexpr std::size_t kMaxSlots = 1000000;

// Letters, digits, '.', '-', '_', and no '-' first: what all launchers read as a host; or an IPv6
// address.
bool is_host_name(std::string_view name);

struct Hostfile {
    std::vector<Host> lines;  // in their order; a host can occur again
    // Each host once, as a launch by slot fills them. One with several lines has a slot for each that
    // gives none, and is not open.
    std::vector<Host> hosts;
};

// Open MPI's hostfile as far as people write it: the error of what mpirun alone reads, or takes for a
// host that cannot be (node1:2), has line and column. kTooLarge over kMaxSlots slots or lines.
Result<Hostfile> parse_hostfile(std::string_view text, const std::string& where);

// A Slurm job's, of all its components: SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE of each. Each host
// once, with all its slots, in the order of first sight.
Result<std::vector<Host>> slurm_hosts(const Variable& variable);

}  // namespace hitopo::tool

#endif
