// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The new rank of each process, so that those that talk lie beside each other. Pure functions: all
// processes that have the same table come to the same order without a message.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_ORDER_H
#define OMPI_MCA_TOPO_HITOPO_CORE_ORDER_H

#include <string_view>

#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/level_groups.h"

namespace hitopo::topo {

struct Order {
    PerProcess new_rank;         // of each rank: a permutation
    std::string_view candidate;  // of this order: "identity", "k-d tree", "strips", ..
    Crossings before, after;     // of the identity, and of this order

    bool is_identity() const { return candidate == "identity"; }
};

// The candidate of the least cost; the first of equal ones, and the identity before all.
// As many processes as cells. O(levels x processes).
Order grid_order(const Grid& grid, const LevelGroups& groups, const Capacities& capacities);

// As many processes as vertices: rank r is vertex r. O(edges + processes)
// for each candidate.
Order graph_order(const Graph& graph, const LevelGroups& groups, const Capacities& capacities);

}  // namespace hitopo::topo

#endif
