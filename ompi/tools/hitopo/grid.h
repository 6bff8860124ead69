// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A grid of ranks, as people write it.
#ifndef OMPI_TOOLS_HITOPO_GRID_H
#define OMPI_TOOLS_HITOPO_GRID_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/grid.h"

namespace hitopo::tool {

inline constexpr std::size_t kMaxCells = 1000000;

// "64x48p": 64 rows of 48, the second dimension periodic. The error says which piece is wrong;
// kTooLarge over kMaxCells cells.
Result<topo::Grid> parse_grid(std::string_view text);

}  // namespace hitopo::tool

#endif
