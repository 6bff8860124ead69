// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Cells divided into two sets of given sizes, so that little goes from one to the other.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_CUT_H
#define OMPI_MCA_TOPO_HITOPO_CORE_CUT_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {

using Cells = std::vector<std::uint32_t>;

class Cutter {
public:
    explicit Cutter(const Neighbours& neighbours)
        : neighbours_(neighbours), side_(neighbours.size()), gain_(neighbours.size()) {}

    // The first num_first of `cells` are one set, the others the other one. Exchanges cells between the
    // two while that makes less go across, after Fiduccia and Mattheyses: also over some that make it
    // more, if others make good for them. Returns the bytes across.
    std::uint64_t improve(Cells& cells, std::size_t num_first);
    // The bytes across for the cells as they are.
    std::uint64_t bytes_across(const Cells& cells, std::size_t num_first);

private:
    enum Side : std::uint8_t { kOutside, kFirst, kSecond, kFirstMoved, kSecondMoved };
    class Queue;

    void set_sides(const Cells& cells, std::size_t num_first);
    void compute_gains(const Cells& cells);
    bool improve_once(Cells& cells, std::size_t num_first);
    std::int64_t move_best(Queue& from, Queue& to, Cells& moved);
    bool are_together(std::uint32_t cell, std::uint32_t other) const;

    const Neighbours& neighbours_;
    std::vector<Side> side_;          // of each cell of the graph
    std::vector<std::int64_t> gain_;  // fewer bytes across if the cell alone changes sides
};

}  // namespace hitopo::topo

#endif
