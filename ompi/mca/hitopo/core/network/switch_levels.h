// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the names of the switches above a node become: the levels switch and island.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_LEVELS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_LEVELS_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {

// `names`: outermost first, the leaf switch last, empty where the tree has no switch at that height. The
// leaf is the switch; the nearest one above that is not empty is the island, with the names above it in
// its path. Placeholders count as empty.
void fill_switch_levels(std::vector<Name> names, RawAddress& levels);

// What Topograph and soperator write where a switch's name is not known, in any case: "no-topology",
// "unknown", "FABRIC.unknown". Nodes that share one share no switch.
bool is_placeholder(std::string_view name);

// Puts the topology's name first in each path: two topologies may have a switch of one name each.
void put_below(const std::string& topology, RawAddress& levels);

}  // namespace hitopo

#endif
