// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a plan comes to: the job's dictionary, and who is where.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DIRECTORY_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DIRECTORY_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/occupancy.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

struct Directory {
    DictionaryDraft dictionary;
    Occupancy occupancy;
};

// plan: of the summary; its names get those that leaders told. led: what the plan's leaders told, as of
// core/network/uplinks.h; what makes no sense costs what it should have told. Time O(N log N + distinct
// seatings), N nodes; O(P) where ranks follow no rule.
Directory make_directory(const Summary& summary, Plan& plan, const std::vector<std::string>& led);

}  // namespace hitopo

#endif
