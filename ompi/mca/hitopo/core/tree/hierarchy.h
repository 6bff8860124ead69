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

}  // namespace hitopo

#endif
