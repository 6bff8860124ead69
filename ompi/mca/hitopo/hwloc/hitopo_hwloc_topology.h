// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Loads hwloc topologies: this machine, one from an XML file, one from a synthetic string.
#ifndef OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_TOPOLOGY_H
#define OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_TOPOLOGY_H

#include <hwloc.h>

#include <memory>
#include <string>

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

}  // namespace hitopo

#endif
