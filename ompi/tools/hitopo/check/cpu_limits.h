// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What control groups leave of a node's CPUs to a process, as each tells rank 0 in a line.
#ifndef OMPI_TOOLS_HITOPO_CHECK_CPU_LIMITS_H
#define OMPI_TOOLS_HITOPO_CHECK_CPU_LIMITS_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cgroup.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo::tool {

struct CpuLimits {
    CpuSet allowed;                   // of its cpuset; empty: unknown
    CpuSet affinity;                  // where it may run on the real machine; empty: unknown
    std::vector<CgroupQuota> quotas;  // of its group and those above it
};

// Those of this process and its calling thread.
CpuLimits own_cpu_limits();

// "0-3;0;17:500 9:2000": allowed, affinity, quotas. Of any other text, what is odd limits nothing.
std::string to_text(const CpuLimits& limits);
CpuLimits cpu_limits_in(std::string_view text);

// Whether they are those of a process that the table has on `cpus` of a machine of `all` CPUs (either
// may be empty: unknown). Not where the machine is a simulated one.
bool are_limits_of(const CpuLimits& limits, const CpuSet& cpus, const CpuSet& all);

}  // namespace hitopo::tool

#endif
