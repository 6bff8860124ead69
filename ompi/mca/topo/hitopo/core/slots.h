// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From a mapping that puts several into one slot to an order.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_SLOTS_H
#define OMPI_MCA_TOPO_HITOPO_CORE_SLOTS_H

#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// wanted[v]: the position at which vertex v should be. Where several want one, the lowest has it, and
// the others the nearest that nobody wants: in the same innermost group, else in the same of the next
// level outwards. Returns new_rank, as of core/order.h: v for the rank at v's position.
PerProcess one_in_each_slot(const std::vector<std::int32_t>& wanted, const Places& places);

}  // namespace hitopo::topo

#endif
