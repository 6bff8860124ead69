// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lanes of a side resource, on request: `hitopo report --side nvlink://Domain`.
#ifndef PROFILER_TOOL_REPORT_SIDE_LANES_H
#define PROFILER_TOOL_REPORT_SIDE_LANES_H

#include <array>
#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

// What went to single peers and was fetched from them.
struct SideLaneSum {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};
// Where both processes are in one domain; in two; where one of them is in none, or unknown.
using SideLaneSums = std::array<SideLaneSum, 3>;

struct SideLanes {
    std::string type;  // as the table has it
    std::size_t num_domains;
    SideLaneSums sums{};
};

// type: as of a guided split, whatever its case. An error, for people: the profile's table has no such
// type, or it has no pairs.
Result<SideLanes> side_lanes(const Profile& profile, const std::string& type);

// The section of `hitopo report`.
std::string format_side_lanes(const SideLanes& lanes, Charset charset);

}  // namespace hitopo::tool

#endif
