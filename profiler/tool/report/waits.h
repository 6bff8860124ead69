// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The time that processes spend in MPI: a process with little of it comes late, and the others wait.
#ifndef PROFILER_TOOL_REPORT_WAITS_H
#define PROFILER_TOOL_REPORT_WAITS_H

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/tool/profile/profile_sums.h"

namespace hitopo::tool {

struct RankTime {
    int rank = 0;
    std::uint64_t ns = 0;    // in MPI
    bool has_waits = false;  // it called a function that waits for others
};

// A node or a switch.
struct PlaceTime {
    std::string name;
    std::uint64_t ns = 0;  // of its processes on average
    std::vector<int> ranks;
};

// Each list has the least time first, then the lower rank.
struct Waits {
    std::vector<RankTime> ranks;
    std::vector<PlaceTime> nodes, switches;  // as far as the table knows them
};

Waits who_waits(const Profile& profile, const ProfileSums& sums);

// The middle one's, or the mean of the two in the middle; 0 of none.
std::uint64_t median_ns(const std::vector<RankTime>& ranks);

// The name of the rank's node, as the table has it; "" where it has none.
std::string node_of(const Profile& profile, int rank);

}  // namespace hitopo::tool

#endif
