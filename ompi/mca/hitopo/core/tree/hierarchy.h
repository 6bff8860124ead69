// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The whole hierarchy: the unguided split of a communicator, of what it gave this process, and so on.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_HIERARCHY_H
#define OMPI_MCA_HITOPO_CORE_TREE_HIERARCHY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {

// ranks: of the whole communicator. number, count: among the children of the parent.
struct HierarchyStep : OwnGroup {
    Ranks roots;  // of the roots communicator; empty if this process is not in it
};

struct Hierarchy {
    std::vector<HierarchyStep> steps;  // of this process, the outermost first
    std::size_t depth = 0;             // the most steps that any process has
};

// The hierarchy of the process `rank`. Time and memory O(N + seats) for N nodes, and O(ranks) of this
// process's first group.
Hierarchy make_hierarchy(const AddressTree& tree, std::uint32_t rank);

// ---- how an unguided split divides ----

// The first node of each part of nodes [begin, end), and the end: the largest domains of network levels
// that are strict subsets, or nodes. end - begin > 1.
std::vector<std::uint32_t> parts_of_nodes(const AddressTree& tree, std::uint32_t begin,
                                          std::uint32_t end);

using SeatList = std::vector<std::uint32_t>;                 // of a layout, counted from its first seat
using SeatDomains = std::vector<std::vector<std::int32_t>>;  // by type, the outermost first, and seat

SeatList all_seats(const TreeLayout& layout);

// The domains of a type inside nodes, by seat: numbered from 0 by instance, -1 where it is in none.
std::vector<std::int32_t> domains_in_layout(const AddressTree& tree, const ResourceType& type,
                                            const TreeLayout& layout);

// Those of the types that nest inside nodes.
SeatDomains seat_domains(const AddressTree& tree, const TreeLayout& layout);

// The largest strict subsets of `seats` among all domains, cut to them; where two cross, the larger,
// then that of the outer type stands whole.
std::vector<SeatList> parts_of_seats(const SeatDomains& domains, const SeatList& seats);

}  // namespace hitopo

#endif
