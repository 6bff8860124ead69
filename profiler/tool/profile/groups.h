// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI functions by what they are for.
#ifndef PROFILER_TOOL_PROFILE_GROUPS_H
#define PROFILER_TOOL_PROFILE_GROUPS_H

#include <array>
#include <string>
#include <string_view>

namespace hitopo::tool {

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

// Whether a process waits for others in it.
bool is_waiting(Group group);

}  // namespace hitopo::tool

#endif
