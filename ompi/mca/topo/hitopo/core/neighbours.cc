// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/neighbours.h"

#include <algorithm>
#include <numeric>

namespace hitopo::topo {

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
