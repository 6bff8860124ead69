// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs, NICs and CPUs that the ranks of one node should have.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_PLAN_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_PLAN_H

#include <cstdint>
#include <functional>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/devices.h"

namespace hitopo {

struct PlanOptions {
    int gpus_per_rank = 0;    // at most; 0: GPUs are dealt out where they are more than ranks
    bool by_gpu = false;      // rank r has GPU r, and CPUs near it; else GPUs near its CPUs
    bool keeps_cpus = false;  // CPUs stay as they are
};

// A rank's devices and CPUs. gpus, nics: numbers in NodeDevices, ascending.
struct RankPlan {
    std::vector<int> gpus;
    std::vector<int> nics;
    CpuSet cpus;  // empty: as it is, not bound
};

// The plan of each rank of a node. bound: the CPUs of each rank by local rank; empty: not bound.
// gpus: those that the job has, as numbers in node.gpus.
//
// GPUs stand in the order of their CPUs (by_gpu: of their numbers). Ranks that are not bound and not
// more than GPUs have a block of them each. Else each GPU has as many ranks as the others or one more,
// and the sum of distances between CPUs and GPUs is the least, and then that of squared differences
// between the relative positions of rank and GPU: neighbours share a GPU.
//
// NICs are those of used_nics at the least distance from the rank's GPUs, or from its CPUs where it has
// none. Ranks with the same ones take them in blocks; fewer ranks than NICs have several each.
//
// CPUs stay if ranks are bound to disjoint ones. Else the ranks of a place divide its cores, or those
// near it, of its packages or of the node if the place has fewer cores than ranks or overlaps with
// another. They stay, too, where the node has fewer cores than ranks, and for ranks without a GPU.
std::vector<RankPlan> plan(const NodeDevices& node, const std::vector<CpuSet>& bound,
                           const std::vector<int>& gpus, const PlanOptions& options);

// ---- core/machine/assign.cc: who gets what at the least cost, the assignment problem ----

// A sum of costs is less if its `first` is less; `second` decides ties. Integers: all platforms decide
// alike.
struct Cost {
    std::int64_t first = 0, second = 0;
};

// A column for each row of `costs`, no column twice, at the least sum. costs: rows of equal length, at
// least as many columns as rows. The Hungarian algorithm: rows^2 * columns steps.
std::vector<int> assign(const std::vector<std::vector<Cost>>& costs);

// A column for each of num_rows rows at the least sum, where columns are shared: each has num_rows /
// num_columns rows, rounded down or up. num_columns: not 0; first of each cost: in [0, 1000].
std::vector<int> share_out(int num_rows, int num_columns,
                           const std::function<Cost(int row, int column)>& cost);

}  // namespace hitopo

#endif
