// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where a process that may run on some CPUs lies in its node's machine.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_PLACEMENT_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_PLACEMENT_H

#include <array>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

inline constexpr int kMaxSiblings = 1 << 20;  // a level's numbers are below it

struct Placement {
    bool is_covered = false;     // all of the CPUs belong to the machine and there is at least one
    std::vector<int> instances;  // per type of the machine: the one instance that holds all CPUs, or -1

    // A level's number among its siblings, in the order of the lowest CPU number; -1: restricted to
    // none, or not covered. From l2numa to hwthread: l2numa and socket within the machine (l2numa is 0
    // where that has no L2NUMA), core within its socket, or the machine where it has no Package, or
    // among the cores outside of every Package; hwthread within its core, or as core where the machine
    // has no Core.
    int operator[](Level level) const { return numbers[level - kL2Numa]; }
    int& operator[](Level level) { return numbers[level - kL2Numa]; }
    std::array<int, kNumLevels - kL2Numa> numbers = {-1, -1, -1, -1};
};

Placement place(const Machine& machine, const CpuSet& cpus);

}  // namespace hitopo

#endif
