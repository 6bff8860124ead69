// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Cells laid onto groups by cutting them in two where groups begin: each group of each level gets as
// many as it has processes, whatever shape they then have.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_BISECTION_H
#define OMPI_MCA_TOPO_HITOPO_CORE_BISECTION_H

#include "ompi/mca/topo/hitopo/core/cut.h"
#include "ompi/mca/topo/hitopo/core/grid.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// The cell of each position. O(cells log cells) for each of the sweeps that are tried at a cut.
PerProcess bisected_cells(const Grid& grid, const Places& places);
PerProcess bisected_cells(const Graph& graph, const Places& places);

// Beyond that it takes longer than it is worth.
inline constexpr std::uint32_t kMaxBisected = 1 << 15;

}  // namespace hitopo::topo

#endif
