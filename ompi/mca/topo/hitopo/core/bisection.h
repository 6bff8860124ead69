// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Cells laid onto groups by cutting them in two where groups begin: each group of each level gets as
// many as it has processes, whatever shape they then have.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_BISECTION_H
#define OMPI_MCA_TOPO_HITOPO_CORE_BISECTION_H

#include <vector>

#include "ompi/mca/topo/hitopo/core/cut.h"
#include "ompi/mca/topo/hitopo/core/grid.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// Several attempts, fewer of what is large, none beyond 32768 cells: of each the cell of each position.
// They differ in how cuts begin and which of equal ones is taken, by chance, which is the same in all
// processes: inner levels tell which is better, and they are not known yet.
// O(cells log cells) for each beginning of a cut that is tried.
std::vector<PerProcess> bisected_cells(const Grid& grid, const Places& places);
std::vector<PerProcess> bisected_cells(const Graph& graph, const Places& places);

}  // namespace hitopo::topo

#endif
