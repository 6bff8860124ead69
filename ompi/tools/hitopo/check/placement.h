// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo check` looks at: who may run where, from a table's document and what each process said of
// its threads.
#ifndef OMPI_TOOLS_HITOPO_CHECK_PLACEMENT_H
#define OMPI_TOOLS_HITOPO_CHECK_PLACEMENT_H

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cgroup.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

struct CheckedMachine {
    CpuSet cpus;
    std::vector<CpuSet> sockets;
    std::vector<CpuSet> cores;
    bool is_restricted = false;  // to the CPUs that a cpuset leaves the job; all else is left out
};

struct CheckedProcess {
    std::size_t node = 0;
    // That it may run on; processes of equal sets share one. Empty: unknown.
    std::shared_ptr<const CpuSet> cpus;
    int threads = 0;                       // omp_threads(): 0 where it says nothing
    std::vector<CgroupQuota> quotas = {};  // that hold for it
};

struct CheckedNode {
    std::string name;                         // as the document has it
    const CheckedMachine* machine = nullptr;  // empty: unknown
    std::array<int, kNumLevels> address{};    // of its lowest rank that knows; -1: unknown
    bool knows_inside = false;                // its machine, or a socket or core of some process
    std::vector<int> ranks;                   // ascending, one or more
};

struct Placement {
    std::array<Known, kNumLevels> known{};
    std::vector<std::string> counts;  // job_counts()
    std::vector<std::unique_ptr<const CheckedMachine>> machines;
    std::vector<CheckedNode> nodes;
    std::vector<CheckedProcess> processes;  // entry r is rank r
};

// `threads`, `limits`: entry r is what rank r said (own_process.h). Where they are shorter than the
// table, the others said nothing. A node's machine is what cpusets leave of it to its processes.
Result<Placement> read_placement(const Json& table, const std::vector<int>& threads,
                                 const std::vector<std::string>& limits = {});

}  // namespace hitopo::tool

#endif
