// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rules that turn the numbers of a report into advice.
#ifndef PROFILER_TOOL_REPORT_NEXT_H
#define PROFILER_TOOL_REPORT_NEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/tool/order/order.h"
#include "profiler/tool/profile/times.h"

namespace hitopo::tool {

struct Advice {
    double share = 0;     // of the run time, that it can save at most: larger ones come first
    std::string text;     // sentences, without a stop where the command follows
    std::string command;  // to type
};

// Each rule: advice where its threshold is passed. `file` is the profile's name in commands.

// 1. Less than 10 % of the run time is in MPI.
std::optional<Advice> advise_elsewhere(double in_mpi);

// 2. A rank, or all of a node or switch, has less time in MPI than the median by over 5 % of the run
// time (run_ns, of one process). Ranks without a call that waits do not count.
std::optional<Advice> advise_late(const Waits& waits, std::uint64_t run_ns, const std::string& file);

// 3. Another order of ranks sends 10 % less over a lane between nodes; of several, that on which it
// saves the most bytes.
std::optional<Advice> advise_order(const Plan& plan, double in_mpi, const std::string& file);

// 4. Ranks of a grid or graph stay, and with others 10 % less would cross a level.
std::optional<Advice> advise_reorder(const std::vector<OrderCount>& orders, double in_mpi);

// 5. Collectives that coll/hitopo could serve take over 20 % (share); it serves none, on several nodes.
std::optional<Advice> advise_serving(double share, std::size_t num_nodes, bool is_served);
bool can_be_served(std::string_view function);

// 6. More than 10 tests for each message, and 1 % of the run time (of all processes).
std::optional<Advice> advise_tests(const TrafficSums& sums, std::uint64_t run_ns,
                                   const std::string& file);

// 7. More than half of the messages are below 1 KiB (part), and 10 % of the time starts or sends.
std::optional<Advice> advise_short(double part, double share, const std::string& file);

// 8. Files take 10 % of the time.
std::optional<Advice> advise_files(double share);

// The three that save the most, or sentences. name: of the profile, as the user gave it.
struct Next {
    std::vector<Advice> advice;
    std::vector<std::string> sentences;
};
Next what_next(const Profile& profile, const ProfileSums& sums, const Waits& waits,
               const std::string& name);

}  // namespace hitopo::tool

#endif
