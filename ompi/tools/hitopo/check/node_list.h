// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of a placement, as a rule picks them.
#ifndef OMPI_TOOLS_HITOPO_CHECK_NODE_LIST_H
#define OMPI_TOOLS_HITOPO_CHECK_NODE_LIST_H

#include "ompi/tools/hitopo/check/placement.h"

namespace hitopo::tool {

using Nodes = std::vector<std::size_t>;  // ascending indices

template <class Is>
Nodes nodes_where(const Placement& placement, Is is) {
    Nodes nodes;
    for (std::size_t node = 0; node < placement.nodes.size(); ++node) {
        if (is(placement.nodes[node])) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

inline Nodes all_nodes(const Placement& placement) {
    return nodes_where(placement, [](const CheckedNode&) { return true; });
}

}  // namespace hitopo::tool

#endif
