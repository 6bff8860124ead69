// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ways to lay the cells of a grid along processes in the order of their addresses, so that cells that
// follow each other lie close; and vertices of a graph likewise. Each gives the cell of each position:
// all cells, each once.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_CANDIDATES_H
#define OMPI_MCA_TOPO_HITOPO_CORE_CANDIDATES_H

#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/level_groups.h"

namespace hitopo::topo {

// Halves the longest dimension again and again (a k-d tree): each half, quarter, eighth is a box, so it
// is good at any depth of a machine, and knows nothing of it.
PerProcess kd_cells(const Grid& grid);

// Strips along the longest dimension, there and back in turn. So many cells that follow each other form
// a box of about equal sides: a group's size.
PerProcess strip_cells(const Grid& grid, std::uint32_t group_size);

// Cuts cells in two where groups begin: each group of each level gets as many as it has processes,
// whatever shape they then have. Several attempts, fewer for large grids, none beyond 32768 cells: of
// each the cell of each position. They differ in the begins of cuts and the choice among equal ones, by
// chance, which is the same in all processes: inner levels decide which is better, and they are not
// known yet. O(cells log cells) for each beginning of a cut that is tried.
std::vector<PerProcess> bisected_cells(const Grid& grid, const LevelGroups& groups);
std::vector<PerProcess> bisected_cells(const Graph& graph, const LevelGroups& groups);

// Exchanges two vertices at a time, of any two groups.
// cell_at: the vertex of each position, of places that have a level at least. Returns it, or cells that
// cost less at all levels together (cost_of). Its work is counted, not timed, so all processes come to
// the same. Where vertices times groups are more than a million, nothing is tried.
PerProcess swapped_cells(const Graph& graph, const LevelGroups& groups, const Capacities& capacities,
                         PerProcess cell_at);

}  // namespace hitopo::topo

#endif
