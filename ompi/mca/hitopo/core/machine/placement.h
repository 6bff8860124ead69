// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where a process that may run on some CPUs lies in its node's machine.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_PLACEMENT_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_PLACEMENT_H

#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

struct Placement {
    bool is_covered = false;     // all of the CPUs belong to the machine and there is at least one
    std::vector<int> instances;  // per type of the machine: the one instance that holds all CPUs, or -1
    // Sibling numbers in the order of the lowest CPU number; -1: restricted to none, or not covered.
    int l2numa = -1;    // 0 where the machine has no L2NUMA
    int socket = -1;    // within the machine
    int core = -1;      // within its socket, or the machine where it has no Package
    int hwthread = -1;  // within its core, or as core where the machine has no Core
};

Placement place(const Machine& machine, const CpuSet& cpus);

}  // namespace hitopo

#endif
