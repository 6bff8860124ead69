// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The time in MPI by groups of functions, and by waiting. A process with little time in MPI comes late,
// and the others wait.
#ifndef PROFILER_TOOL_PROFILE_TIMES_H
#define PROFILER_TOOL_PROFILE_TIMES_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/tool/profile/profile_sums.h"

namespace hitopo::tool {

// MPI functions by purpose.
enum class Group {
    kWaiting,
    kProbing,
    kBlocking,
    kStarting,
    kCollectives,
    kOneSided,
    kFiles,
    kMaking,
    kOthers
};
inline constexpr std::array<const char*, 9> kGroupNames = {"waiting for requests",
                                                           "probing",
                                                           "messages that block",
                                                           "starting messages",
                                                           "collectives",
                                                           "one-sided",
                                                           "files",
                                                           "making communicators",
                                                           "other functions"};

// "bcast" of "MPI_Bcast", "MPI_Bcast_c" and "MPI_Bcast_init".
std::string plain_name(std::string_view function);

// function: "MPI_Send", "MPI_Send_c", as the profiler counts them.
Group group_of(std::string_view function);

// The run time of all processes that took part, together.
std::uint64_t run_ns(const Profile& profile);

// Sums over the functions of each group that were called, under its name: the longest time first.
std::vector<CallCount> by_group(const TrafficSums& sums);

// The rest of the run time: 0 where threads of a process call at the same time.
std::uint64_t outside_ns(const Profile& profile, const TrafficSums& whole);

// ---- waiting ----

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

}  // namespace hitopo::tool

#endif
