// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The neighbours of processes: a Cartesian grid, as of MPI_Cart_create, and a graph, the bytes that each
// sends to each other one.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_GRAPH_H
#define OMPI_MCA_TOPO_HITOPO_CORE_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo::topo {

// Cells are numbered row by row, the last dimension fastest: a cell's number is the rank of its process.
struct Grid {
    std::vector<int> dims;          // each at least 1, one at least
    std::vector<bool> is_periodic;  // as many

    std::size_t num_dims() const { return dims.size(); }
    std::uint32_t num_cells() const {
        std::uint32_t num = 1;
        for (const int dim : dims) {
            num *= static_cast<std::uint32_t>(dim);
        }
        return num;
    }
};

// From one cell to the next one along each dimension.
inline std::vector<std::uint32_t> strides_of(const Grid& grid) {
    std::vector<std::uint32_t> strides(grid.num_dims(), 1);
    for (std::size_t d = grid.num_dims() - 1; d > 0; --d) {
        strides[d - 1] = strides[d] * static_cast<std::uint32_t>(grid.dims[d]);
    }
    return strides;
}

struct Edge {
    std::uint32_t from, to;
    std::uint64_t bytes;
};

// Directed edges between the vertices 0 .. num_vertices - 1. A pair may occur more than once; an edge
// from a vertex to itself counts nowhere.
struct Graph {
    std::uint32_t num_vertices = 0;
    std::vector<Edge> edges;
};

// One byte from each cell to each of its neighbours, as crossings_of counts a grid.
Graph graph_of(const Grid& grid);

struct Neighbour {
    std::uint32_t cell;
    std::uint64_t bytes;  // both ways
};

// The vertices that each one has edges with.
class Neighbours {
public:
    explicit Neighbours(const Graph& graph);

    struct Range {
        const Neighbour *first, *last;
        const Neighbour* begin() const { return first; }
        const Neighbour* end() const { return last; }
    };
    // Each once, without itself.
    Range of(std::uint32_t cell) const {
        return {all_.data() + starts_[cell], all_.data() + starts_[cell + 1]};
    }
    std::size_t size() const { return starts_.size() - 1; }

private:
    std::vector<std::size_t> starts_;
    std::vector<Neighbour> all_;
};

}  // namespace hitopo::topo

#endif
