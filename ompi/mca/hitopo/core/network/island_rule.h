// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which leaf switches form an island, told from the switches one hop above them.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_ISLAND_RULE_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_ISLAND_RULE_H

#include <cstdint>
#include <vector>

namespace hitopo {

struct LeafSwitch {
    std::uint64_t guid = 0;
    std::vector<std::uint64_t>
        l2_switches;  // GUIDs of the switches above it, of which none is a leaf; ascending, distinct
};

struct Island {
    std::vector<std::uint64_t> l2_switches;  // of a leaf with all of its links; ascending
    std::vector<std::uint64_t> leaves;       // ascending, at least one
};

// Leaves with equal sets of L2 switches are one island. A leaf with a strict subset has lost links: it
// belongs to the largest sets that hold its own, there to the one that is least larger; where two are
// equally near, to none. All others, and those without any L2 switch, are islands of their own.
// `leaves` are distinct, in any order; the result is ordered by lowest leaf and the same for all orders.
std::vector<Island> derive_islands(const std::vector<LeafSwitch>& leaves);

}  // namespace hitopo

#endif
