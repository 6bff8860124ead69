// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// With whom each cell of a grid, or vertex of a graph, talks.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_NEIGHBOURS_H
#define OMPI_MCA_TOPO_HITOPO_CORE_NEIGHBOURS_H

#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {

struct Neighbour {
    std::uint32_t cell;
    std::uint64_t bytes;  // both ways
};

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
