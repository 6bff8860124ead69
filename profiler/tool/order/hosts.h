// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hosts and their slots, as launchers are told of them.
#ifndef PROFILER_TOOL_ORDER_HOSTS_H
#define PROFILER_TOOL_ORDER_HOSTS_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::tool {

struct Host {
    std::string name;
    std::size_t num_slots = 0;

    friend bool operator==(const Host& a, const Host& b) {
        return a.name == b.name && a.num_slots == b.num_slots;
    }
};

// A host whose slots a file may leave open.
struct ListedHost {
    std::string name;
    std::optional<std::size_t> num_slots;

    friend bool operator==(const ListedHost& a, const ListedHost& b) {
        return a.name == b.name && a.num_slots == b.num_slots;
    }
};

// Slots of all hosts together.
inline constexpr std::size_t kMaxSlots = 1000000;

// The error that there are more. kTooLarge.
Error too_many_slots(const std::string& where);

// Letters, digits, '.', '-', '_', and no '-' first: what all launchers read as a host; or an IPv6
// address.
bool is_host_name(std::string_view name);

// Each host once, with all its slots, in the order of first sight: as a launch by slot fills them.
std::vector<Host> merged(const std::vector<Host>& hosts);

// A Slurm job's, of all its components: SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE of each.
Result<std::vector<Host>> slurm_hosts(const Variable& variable);

}  // namespace hitopo::tool

#endif
