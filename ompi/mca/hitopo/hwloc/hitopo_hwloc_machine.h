// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A machine out of an hwloc topology.
#ifndef OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_MACHINE_H
#define OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_MACHINE_H

#include <hwloc.h>

#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

CpuSet set_of(hwloc_const_bitmap_t bitmap);

// False for one that hwloc could not load, of which nothing may be asked.
bool is_loaded(hwloc_topology_t topology);

// Whether no CPU is missing because a cgroup forbids it.
bool has_all_cpus(hwloc_topology_t topology);

// Every type with CPUs: Machine, Package, Die, NUMANode, the caches, Group, Core, PU, each by its
// complete set; and devices, "gpu://Nearest" and "nic://Nearest". MemCache is left out: its set is
// always that of the NUMANodes behind it.
Machine machine_of(hwloc_topology_t topology);

}  // namespace hitopo

#endif
