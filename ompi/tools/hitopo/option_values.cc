// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/options.h"

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
            return Error{Errc::kMalformed, fmt::format("is not a grid: \"{}\".", whole),
                         "Write dimensions separated by x, with p after periodic dimensions: 64x48p",
                         "--grid"};
        }
        if (*dim > kMaxCells / num_cells) {
            return Error{Errc::kTooLarge, fmt::format("is too large: \"{}\".", text),
                         fmt::format("A grid has at most {} cells", kMaxCells), "--grid"};
        }
        num_cells *= *dim;
        grid.dims.push_back(static_cast<int>(*dim));
        grid.is_periodic.push_back(is_periodic);
    }
    return grid;
}

// required = level [ "=" component ] { "," level [ "=" component ] }
//
//     switch=slurm,core
Result<std::vector<RequiredLevel>> parse_required(std::string_view text) {
    std::vector<RequiredLevel> required;
    for (const std::string_view item : split(text, ',')) {
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::optional<Level> level = parse_level(trim(item.substr(0, equals)));
        const std::string_view component = trim(item.substr(std::min(equals + 1, item.size())));
        if (!level || (equals < item.size() && component.empty())) {
            return Error{
                Errc::kMalformed, std::string(item),
                level ? "write a component behind =, or no ="
                      : "write levels: cluster, island, switch, node, l2numa, socket, core, hwthread",
                "--require"};
        }
        required.push_back({*level, std::string(component)});
    }
    return required;
}

}  // namespace hitopo::tool
