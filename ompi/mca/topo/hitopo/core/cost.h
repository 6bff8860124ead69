// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The cost of an order: the bytes that cross each level, next to the level's capacity.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_COST_H
#define OMPI_MCA_TOPO_HITOPO_CORE_COST_H

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/level_groups.h"

namespace hitopo::topo {

// Bytes, or pairs of neighbours, that go from one group to another: entry i is of
// LevelGroups::levels()[i].
using Crossings = std::vector<std::uint64_t>;

// The capacity of each level; 0: the number of its groups.
using Capacities = std::array<double, kNumLevels>;

//     switch:12,island:4
// Levels by name, each with a whole number above 0; "": none. The error names the piece.
Result<Capacities> parse_capacities(std::string_view text);

// The capacity of levels()[i] of the places.
double capacity_of(std::size_t i, const LevelGroups& groups, const Capacities& capacities);

// Crossings next to capacities, the dearest level first: costs are compared lexicographically.
using Cost = std::vector<double>;
Cost cost_of(const Crossings& crossings, const LevelGroups& groups, const Capacities& capacities);

// cell_at[p]: the cell, or vertex, of the process at position p; as many as processes. Counts directed
// pairs of neighbours: along each dimension both ways, in a periodic one round its end too.
Crossings crossings_of(const Grid& grid, const PerProcess& cell_at, const LevelGroups& groups);
// The bytes that directed edges carry.
Crossings crossings_of(const Graph& graph, const PerProcess& cell_at, const LevelGroups& groups);

}  // namespace hitopo::topo

#endif
