// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which component fills the levels inside each node: the machine, or one that gives explicit values.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_CHOICE_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_CHOICE_H

#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

// Fills l2numa_component and inner_component of each node: explicit values stand where their component
// beats the machine's, and where there is no machine. summary: that of the plan.
void choose_inner(const Summary& summary, Plan& plan);

}  // namespace hitopo

#endif
