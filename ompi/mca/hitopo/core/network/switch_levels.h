// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the names of the switches above a node become: the levels switch and island.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_LEVELS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_LEVELS_H

#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/network/placeholders.h"

namespace hitopo {

// `names`: outermost first, the leaf switch last, empty where the tree has no switch at that height. The
// leaf is the switch; the nearest one above that is not empty is the island, with the names above it in
// its path. What is `unknown` counts as empty.
void fill_switch_levels(std::vector<Name> names, RawAddress& levels,
                        const Placeholders& unknown = Placeholders());

// Puts the topology's name first in each path: two topologies may have a switch of one name each.
void put_below(const std::string& topology, RawAddress& levels);

}  // namespace hitopo

#endif
