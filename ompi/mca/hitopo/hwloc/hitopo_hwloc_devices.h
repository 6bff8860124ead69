// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// GPUs and network interfaces of an hwloc topology, as types of its machine.
#ifndef OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_DEVICES_H
#define OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_DEVICES_H

#include <hwloc.h>

#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

// Adds the types "gpu://Nearest" and "nic://Nearest" where the topology has such devices: an instance
// for each place that some are near to, with the CPUs that are near to no others. Nothing where the
// topology was loaded without I/O devices.
//
// A GPU is what computes: a 3D or other display controller or an accelerator by its PCI class, or what
// CUDA, OpenCL, NVML, RSMI or Level Zero know of a PCI device; the VGA controller of a board's
// management is none. A network interface is one of InfiniBand's kind (RoCE, Omni-Path), or of Slingshot
// (hsn0).
void add_devices(hwloc_topology_t topology, Machine& machine);

}  // namespace hitopo

#endif
