// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each process knows of itself: how many threads OpenMP will start, what control groups leave of a
// node's CPUs, and whether a launcher started others beside it.
#ifndef OMPI_TOOLS_HITOPO_CHECK_OWN_PROCESS_H
#define OMPI_TOOLS_HITOPO_CHECK_OWN_PROCESS_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cgroup.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/network/slurm_components.h"

namespace hitopo::tool {

// The values of OMP_NUM_THREADS, OMP_THREAD_LIMIT and OMP_DYNAMIC; NULL where one is not set.
struct OmpVariables {
    const char* num_threads = nullptr;
    const char* thread_limit = nullptr;
    const char* dynamic = nullptr;
};

// Threads of the outermost parallel region: the first number of OMP_NUM_THREADS ("8", "4,2"), or the
// limit if that is less. 0: not set, no such list (any bytes), or OpenMP may take fewer (OMP_DYNAMIC is
// true). OpenMP 5.2, 21.1.2, 21.1.4, 21.2.2.
int omp_threads(const OmpVariables& variables);

// Launchers' variables tell of processes beside this one.
struct Launched {
    std::string others;    // "PMI_SIZE is 4"; "": there are none, or nobody says so
    bool is_first = true;  // of those that know of others
};

// By the first launcher whose variables are set: Open MPI's, which may run within another.
Launched launched_by(const Variable& variable);

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
