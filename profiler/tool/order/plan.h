// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which slot each rank of a better launch gets, and what crosses each lane then.
//
// Rank r of the launch so far had slot r. The ordering functions give slot r's process a new rank,
// Order::new_rank[r]; a program whose traffic depends on its ranks alone then has its vertex new_rank[r]
// there. So the new launch's rank n gets the slot whose new rank is n.
#ifndef PROFILER_TOOL_ORDER_PLAN_H
#define PROFILER_TOOL_ORDER_PLAN_H

#include <string>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/grid.h"
#include "profiler/tool/order/slots.h"

namespace hitopo::tool {

struct Plan {
    topo::PerProcess slot_of;  // of each rank of the new launch
    std::string candidate;     // that stands; "identity": nothing is gained
    PerLane before, after;     // bytes, or pairs of neighbours of a grid

    bool is_identity() const { return candidate == "identity"; }
};

// As many slots as vertices.
Plan plan_graph(const topo::Graph& graph, const Slots& slots, const topo::Capacities& capacities);

// As many slots as cells.
Plan plan_grid(const topo::Grid& grid, const Slots& slots, const topo::Capacities& capacities);

// The order of addresses; what counts is how many ranks have their next one in another group.
Plan plan_hosts(const Slots& slots);

}  // namespace hitopo::tool

#endif
