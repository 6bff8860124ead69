// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Side resources that cross nodes as a dictionary has them.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_SIDE_VALUES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_SIDE_VALUES_H

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

// Fills the dictionary's side_types and side_sets from the plan's sides. Types are ordered by what their
// components say (SideAnswer::order, the lowest), then by URI; the values of one as those of a level:
// by priority, component, value.
void list_side_resources(const Plan& plan, DictionaryDraft& dictionary);

}  // namespace hitopo

#endif
