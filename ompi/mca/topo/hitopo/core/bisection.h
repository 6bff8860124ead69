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

// The cell of each position. Attempts, 0 and up, differ in how cuts begin and which of equal ones is
// taken, by chance, which is the same in all processes: inner levels tell which is better, and they are
// not known yet.
// O(cells log cells) for each beginning of a cut that is tried.
PerProcess bisected_cells(const Grid& grid, const Places& places, unsigned attempt);
PerProcess bisected_cells(const Graph& graph, const Places& places, unsigned attempt);

// How many attempts are worth their time, at least one; 0 for more than 32768 cells.
unsigned num_attempts(const Grid& grid);
unsigned num_attempts(const Graph& graph);

}  // namespace hitopo::topo

#endif
