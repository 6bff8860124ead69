// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/graph.h"

#include "ompi/mca/topo/hitopo/core/grid.h"

namespace hitopo::topo {

Graph graph_of(const Grid& grid) {
    Graph graph;
    graph.num_vertices = grid.num_cells();
    const std::vector<std::uint32_t> strides = strides_of(grid);
    for (std::size_t d = 0; d < grid.num_dims(); ++d) {
        const auto num = static_cast<std::uint32_t>(grid.dims[d]);
        for (std::uint32_t cell = 0; cell < graph.num_vertices; ++cell) {
            const bool is_last = cell / strides[d] % num == num - 1;
            if (!is_last || grid.is_periodic[d]) {
                const std::uint32_t next = is_last ? cell - (num - 1) * strides[d] : cell + strides[d];
                graph.edges.push_back({cell, next, 1});
                graph.edges.push_back({next, cell, 1});
            }
        }
    }
    return graph;
}

}  // namespace hitopo::topo
