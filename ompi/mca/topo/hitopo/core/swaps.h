// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// An order of a graph made cheaper by exchanging two vertices at a time, of any two groups.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_SWAPS_H
#define OMPI_MCA_TOPO_HITOPO_CORE_SWAPS_H

#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// cell_at: the vertex of each position, of places that have a level at least. Returns it, or what costs
// less at all levels together (cost_of). Its work is counted, not timed, so all processes come to the
// same. Where vertices times groups are more than a million, nothing is tried.
PerProcess swapped_cells(const Graph& graph, const Places& places, const Capacities& capacities,
                         PerProcess cell_at);

}  // namespace hitopo::topo

#endif
