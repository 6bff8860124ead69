// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What an order costs: what crosses each level, next to what the level can carry.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_COST_H
#define OMPI_MCA_TOPO_HITOPO_CORE_COST_H

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/grid.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// Bytes, or pairs of neighbours, that go from one group to another: entry i is of Places::levels()[i].
using Crossings = std::vector<std::uint64_t>;

// What each level can carry; 0: as many as it has groups.
using Capacities = std::array<double, kNumLevels>;

//     switch:12,island:4
// Levels by name, each with a whole number above 0; "": none. The error names the piece.
Result<Capacities> parse_capacities(std::string_view text);

// What levels()[i] of the places can carry.
double capacity_of(std::size_t i, const Places& places, const Capacities& capacities);

// Crossings next to capacities, the dearest level first: costs are compared lexicographically.
using Cost = std::vector<double>;
Cost cost_of(const Crossings& crossings, const Places& places, const Capacities& capacities);

// Who is where: cell_at[p] is what the process at position p has, a vertex of a graph or a cell of a
// grid; as many as processes.
// Directed pairs of neighbours: along each dimension both ways, in a periodic one round its end too.
Crossings crossings_of(const Grid& grid, const PerProcess& cell_at, const Places& places);
// The bytes that directed edges carry.
Crossings crossings_of(const Graph& graph, const PerProcess& cell_at, const Places& places);

}  // namespace hitopo::topo

#endif
