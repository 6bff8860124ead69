// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/graph.h"

#include <algorithm>
#include <numeric>

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

Neighbours::Neighbours(const Graph& graph) : starts_(graph.num_vertices + 1) {
    std::vector<Edge> edges;
    edges.reserve(2 * graph.edges.size());
    for (const Edge& edge : graph.edges) {
        if (edge.from != edge.to && edge.bytes > 0) {
            edges.push_back(edge);
            edges.push_back({edge.to, edge.from, edge.bytes});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    for (auto edge = edges.begin(); edge != edges.end(); ++edge) {
        const bool is_same =
            edge != edges.begin() && (edge - 1)->from == edge->from && (edge - 1)->to == edge->to;
        if (is_same) {
            all_.back().bytes += edge->bytes;
        } else {
            all_.push_back({edge->to, edge->bytes});
            ++starts_[edge->from + 1];
        }
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

}  // namespace hitopo::topo
