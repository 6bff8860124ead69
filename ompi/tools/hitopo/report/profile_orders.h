// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a report says of orders of grids and graphs: those of all processes, equal ones together.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_ORDERS_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_ORDERS_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/report/profile.h"

namespace hitopo::tool {

// The most frequent first, then by what they are. Numbers that 64 bits do not hold stay at the largest.
std::vector<ReportedOrder> merged_orders(const Profile& profile);

// "applied (k-d tree)", "not applied (k-d tree)", "nothing to gain".
std::string outcome_phrase(const ReportedOrder& order, Charset charset);

// "pairs of neighbours", "weights".
std::string unit_phrase(const ReportedOrder& order);

// "island 8 -> 8, switch 56 -> 24 (-57 %)".
std::string crossings_phrase(const ReportedOrder& order, Charset charset);

}  // namespace hitopo::tool

#endif
