// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// hwloc topologies: how they are loaded, and the machine and the devices that they show.
#ifndef OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_TOPOLOGY_H
#define OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_TOPOLOGY_H

#include <hwloc.h>

#include <memory>
#include <string>

#include "ompi/mca/hitopo/core/machine/devices.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

struct TopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<struct hwloc_topology, TopologyDeleter>;

// This machine, with the CPUs that a cgroup forbids and without I/O devices.
Result<Topology> load_real_topology();

// Another machine. `source` with a '/' or ending in ".xml" is a file as `lstopo --of xml` writes it, at
// most kMaxXmlBytes long; any other is a synthetic string as hwloc(7) describes it ("pack:2 core:4
// pu:2") of at most kMaxSyntheticPus. Never blocks; errors name hitopo_hwloc_topology.
inline constexpr long kMaxXmlBytes = 64L << 20;
inline constexpr unsigned long kMaxSyntheticPus = 8192;
Result<Topology> load_simulated_topology(const std::string& source);

// ---- hitopo_hwloc_machine.cc ----

CpuSet set_of(hwloc_const_bitmap_t bitmap);

// False for one that hwloc could not load, of which nothing may be asked.
bool is_loaded(hwloc_topology_t topology);

// Whether no CPU is missing because a cgroup forbids it.
bool has_all_cpus(hwloc_topology_t topology);

// Every type with CPUs: Machine, Package, Die, NUMANode, the caches, Group, Core, PU, each by its
// complete set; and devices, "gpu://Nearest" and "nic://Nearest". MemCache is left out: its set is
// always that of the NUMANodes behind it.
Machine machine_of(hwloc_topology_t topology);

// ---- hitopo_hwloc_devices.cc ----

// GPUs: accelerators and display controllers of NVIDIA, AMD and Intel, VGA's of the first two, and what
// CUDA, OpenCL, NVML, RSMI or Level Zero know of these vendors' PCI devices. Of an address that RSMI
// knows several times each is a part. NICs: Slingshot's, and what has verbs (InfiniBand, RoCE,
// Omni-Path). Sets are complete ones, but for `cpus`. No devices where the topology was loaded without.
NodeDevices devices_of(hwloc_topology_t topology);

}  // namespace hitopo

#endif
