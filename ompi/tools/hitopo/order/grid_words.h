// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A grid as the command line has it.
#ifndef OMPI_TOOLS_HITOPO_ORDER_GRID_WORDS_H
#define OMPI_TOOLS_HITOPO_ORDER_GRID_WORDS_H

#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/grid.h"

namespace hitopo::tool {

// "64x48p": 64 rows of 48, the second dimension periodic. The error says which piece is wrong;
// kTooLarge over kMaxSlots cells.
Result<topo::Grid> parse_grid(std::string_view text);

// The same text again.
std::string grid_words(const topo::Grid& grid);

}  // namespace hitopo::tool

#endif
