// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A graph mapped onto a tree of groups by Scotch (https://www.labri.fr/perso/pelegrin/scotch/), where it
// is installed.
#ifndef OMPI_MCA_TOPO_HITOPO_SCOTCH_SCOTCH_MAPPING_H
#define OMPI_MCA_TOPO_HITOPO_SCOTCH_SCOTCH_MAPPING_H

#include <optional>

#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// Whether there is a Scotch: HiTopo was built with it, and its module can be loaded.
bool has_scotch();

// new_rank of each rank, a permutation, as of core/order.h: what Scotch proposes for vertices that talk
// as the graph says. The same for the same input and version. Empty where there is no Scotch, or it
// fails. The library is loaded at the first call, apart from one that the program itself may have.
std::optional<PerProcess> scotch_mapping(const Graph& graph, const Places& places);

}  // namespace hitopo::topo

#endif
