// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who hands in parts to whom: each process to its node's leader, the node's lowest rank, and leaders to
// rank 0.
#ifndef PROFILER_GATHER_DUTIES_H
#define PROFILER_GATHER_DUTIES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// The duties of one process.
struct Duties {
    int leader = 0;            // itself where it leads
    std::vector<int> members;  // that it leads, ascending, without itself
    std::vector<int> leaders;  // at rank 0: of the other nodes, ascending
    std::uint64_t hash = 0;    // equal at processes that mean the same nodes
};

// node_of(r): the number of rank r's node; negative: nobody knows, and it is a node of its own.
template <class NodeOf>
Duties duties_of(int rank, int size, NodeOf&& node_of) {
    const std::int64_t own = node_of(rank);
    Duties duties;
    duties.leader = rank;
    std::unordered_map<std::int64_t, int> leaders;
    for (int other = 0; other < size; ++other) {
        const std::int64_t node = node_of(other);
        duties.hash = combine(duties.hash, static_cast<std::uint64_t>(node));
        if (other != rank && node >= 0 && node == own) {
            duties.leader = other < duties.leader ? other : duties.leader;
            duties.members.push_back(other);
        } else if (rank == 0 && other != 0 && (node < 0 || leaders.emplace(node, other).second)) {
            duties.leaders.push_back(other);
        }
    }
    if (duties.leader != rank) {
        duties.members.clear();
    }
    return duties;
}

}  // namespace hitopo

#endif
