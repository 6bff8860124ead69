// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ways to lay the cells of a grid along processes in the order of their addresses, so that cells that
// follow each other lie close. Each gives the cell of each position: all cells, each once.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_CANDIDATES_H
#define OMPI_MCA_TOPO_HITOPO_CORE_CANDIDATES_H

#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/grid.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// Halves the longest dimension again and again (a k-d tree): each half, quarter, eighth is a box, so it
// is good at any depth of a machine, and knows nothing of it.
PerProcess kd_cells(const Grid& grid);

// Strips along the longest dimension, there and back in turn. So many cells that follow each other form
// a box of about equal sides: a group's size.
PerProcess strip_cells(const Grid& grid, std::uint32_t group_size);

}  // namespace hitopo::topo

#endif
