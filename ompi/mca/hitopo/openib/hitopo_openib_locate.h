// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From the node's ports and the sources in their order to levels switch and island.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_LOCATE_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_LOCATE_H

#include <memory>
#include <vector>

#include "ompi/mca/hitopo/base/reporter.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

// The active InfiniBand ports, by device in natural order (mlx5_2 < mlx5_10), then by number: all
// nodes of one build prefer the same rail.
std::vector<IbPort> usable_ports(std::vector<IbPort> ports);

using FabricSources = std::vector<std::unique_ptr<FabricSource>>;

// Reports the first place that a source knows. Without sources the ports are not listed, and without
// usable ports no source is asked.
void report_place(PortLister& lister, const FabricSources& sources, Reporter& reporter);

}  // namespace hitopo

#endif
