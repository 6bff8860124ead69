// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which component fills the levels inside each node: the machine, or one that gives explicit values.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_CHOICE_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_CHOICE_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/pieces.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

std::vector<std::uint32_t> ranks_with_inner_values(const Record* records, const Plan& plan);

// Fills l2numa_component and inner_component of each node: explicit values, of the ranks that have some,
// stand where their component beats the machine's, and where there is no machine.
void choose_inner(const Record* records, const std::vector<std::uint32_t>& ranks,
                  const MachineSenders& machines, Plan& plan);

}  // namespace hitopo

#endif
