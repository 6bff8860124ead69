// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who sends how much to whom.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_GRAPH_H
#define OMPI_MCA_TOPO_HITOPO_CORE_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/grid.h"

namespace hitopo::topo {

struct Edge {
    std::uint32_t from, to;
    std::uint64_t bytes;

    friend bool operator==(const Edge& a, const Edge& b) {
        return a.from == b.from && a.to == b.to && a.bytes == b.bytes;
    }
};

// Directed edges between the vertices 0 .. num_vertices - 1. A pair may occur more than once; an edge
// from a vertex to itself counts nowhere.
struct Graph {
    std::uint32_t num_vertices = 0;
    std::vector<Edge> edges;
};

// One byte from each cell to each of its neighbours, as crossings_of counts a grid.
Graph graph_of(const Grid& grid);

}  // namespace hitopo::topo

#endif
