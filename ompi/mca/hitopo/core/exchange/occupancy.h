// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who is where, node by node: nodes that are occupied alike have one sequence of patterns.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_OCCUPANCY_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_OCCUPANCY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/rank_runs.h"
#include "ompi/mca/hitopo/core/exchange/sequences.h"

namespace hitopo {

// A process by its indices into a dictionary.
struct Process {
    std::uint32_t node;
    std::uint32_t pattern;
};

struct Occupancy {
    struct Node {
        std::uint32_t node = 0;      // index into the dictionary's nodes
        std::uint32_t patterns = 0;  // number of the sequence that its processes have, by rank
        RankRuns ranks;              // one at least
    };
    std::vector<Node> nodes;  // ascending
    Sequences patterns;       // indices into the dictionary's
    std::size_t num_processes = 0;

    // processes: by rank. Time O(P log P) at most, O(P) where they stand node after node.
    static Occupancy of(const std::vector<Process>& processes);
};

}  // namespace hitopo

#endif
