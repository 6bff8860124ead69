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

// Of several cuts across which as little goes, which one is taken: inner levels tell which is better,
// and they are not known yet.
enum class Ties { kFirst, kLast };

// The cell of each position. O(cells log cells) for each way of cutting that is tried.
PerProcess bisected_cells(const Grid& grid, const Places& places, Ties ties);
PerProcess bisected_cells(const Graph& graph, const Places& places, Ties ties);

// Beyond that it takes longer than it is worth.
inline constexpr std::uint32_t kMaxBisected = 1 << 15;

}  // namespace hitopo::topo

#endif
