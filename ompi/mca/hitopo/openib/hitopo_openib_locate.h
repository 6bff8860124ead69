// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From the node's ports and the sources in their order to the leaf switch and what is above it.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_LOCATE_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_LOCATE_H

#include <memory>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// The active InfiniBand ports: those of physical functions first, by device in natural order
// (mlx5_2 < mlx5_10), then by number: all nodes of one build prefer the same rail.
std::vector<IbPort> usable_ports(std::vector<IbPort> ports);

using FabricSources = std::vector<std::unique_ptr<FabricSource>>;

// Reports the first leaf switch that a source knows, for the node, and that its uplinks can be told.
// Only in the process that asks for its node; without usable ports no source is asked. Ports that the
// driver does not list by `timeout` are none.
std::optional<Leaf> report_leaf(const std::shared_ptr<PortLister>& lister, const FabricSources& sources,
                                std::chrono::milliseconds timeout, Reporter& reporter);

// Reports what the first source that knows tells to be above the leaf switch.
void report_uplinks(const Leaf& leaf, const FabricSources& sources, Reporter& reporter);

}  // namespace hitopo

#endif
