// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The order in which nodes are numbered: by name as people read it, then by path, then by identity;
// those without a name first.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_NODE_ORDER_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_NODE_ORDER_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

// Indices of the plan's nodes. Time O(N log N), O(N) where they stand so.
std::vector<std::uint32_t> node_order(const Plan& plan);

}  // namespace hitopo

#endif
