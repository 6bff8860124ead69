// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/grid.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {

// grid: dimension {"x" dimension}; dimension: number ["p"]
//
//     64x48p
Result<topo::Grid> parse_grid(std::string_view text) {
    topo::Grid grid;
    std::size_t num_cells = 1;
    for (std::string_view piece : split(text, 'x')) {
        const std::string_view whole = piece;
        const bool is_periodic = !piece.empty() && piece.back() == 'p';
        piece.remove_suffix(is_periodic ? 1 : 0);
        const std::optional<std::uint64_t> dim = parse_number(piece);
        if (!dim || *dim == 0) {
            return Error{Errc::kMalformed,
                         fmt::format("is not a grid: \"{}\".", whole),
                         "Write dimensions separated by x, with p after periodic dimensions: 64x48p",
                         "--grid",
                         0,
                         0};
        }
        if (*dim > kMaxCells / num_cells) {
            return Error{Errc::kTooLarge,
                         fmt::format("is too large: \"{}\".", text),
                         fmt::format("A grid has at most {} cells", kMaxCells),
                         "--grid",
                         0,
                         0};
        }
        num_cells *= *dim;
        grid.dims.push_back(static_cast<int>(*dim));
        grid.is_periodic.push_back(is_periodic);
    }
    return grid;
}

}  // namespace hitopo::tool
