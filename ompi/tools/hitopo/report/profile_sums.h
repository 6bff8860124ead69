// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a report says of a communicator, and of the whole job: sums over the processes. A sum that 64
// bits do not hold stays at the largest number.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_SUMS_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_SUMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/report/profile.h"

namespace hitopo::tool {

struct LaneSum {
    std::uint64_t messages = 0;           // sent to and fetched from single peers
    std::uint64_t bytes = 0;              // theirs
    std::uint64_t collective_bytes = 0;   // of flat collectives
    std::uint64_t served_messages = 0;    // of the collectives that coll/hitopo served
    std::uint64_t served_bytes = 0;       // theirs
    std::uint64_t served_flat_bytes = 0;  // of the same calls, if they were flat
    bool is_spanned = false;              // two of the processes have this lane between them
};

// Sums over all processes.
struct TrafficSums {
    std::uint64_t calls = 0;
    std::uint64_t messages = 0;
    std::uint64_t call_bytes = 0;  // that all calls sent or fetched
    std::uint64_t bytes = 0;       // of these to and from single peers
    std::uint64_t collective_bytes = 0;
    std::uint64_t ns = 0;
    std::vector<LaneSum> lanes;  // one for each of Profile::lanes
};

struct CommunicatorSums : TrafficSums {
    std::vector<Call> by_call;                    // the longest time first, then by name
    std::map<std::string, std::uint64_t> served;  // how many calls coll/hitopo served, by function
    std::vector<const Traffic*> processes;        // those that counted something, by rank; the profile's
};

// One for each of the profile's communicators, valid as long as the profile.
std::vector<CommunicatorSums> sum_up(const Profile& profile);

// As 64 bits hold it.
std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b);
inline void add_to(std::uint64_t& total, std::uint64_t more) { total = saturated_sum(total, more); }
void add_lane(LaneSum& total, const LaneSum& more);

// The lanes that lie between two of the processes: indices into Profile::lanes.
std::vector<int> spans_of(const TrafficSums& sums);

// One process's traffic with one peer.
struct Pair {
    int rank = 0;  // the process that counted it
    const Peer* peer = nullptr;

    std::uint64_t bytes() const;     // sent and fetched
    std::uint64_t messages() const;  // likewise
};

// The `count` pairs with the most bytes, then messages, then by ranks.
std::vector<Pair> heaviest_pairs(const CommunicatorSums& sums, std::size_t count);

// ---- the whole job ----

// All communicators together: `sums` are sum_up(profile). A call is counted for one of them, however
// many its process is in.
TrafficSums whole_job(const Profile& profile, const std::vector<CommunicatorSums>& sums);

// `whole.ns` as a part of the time that all processes which took part ran: above 1 where several
// threads of a process call at the same time, empty where nobody ran.
std::optional<double> share_in_mpi(const Profile& profile, const TrafficSums& whole);

// "1.5 s".
std::string run_time_phrase(const Profile& profile);

// "45 %: calls on registered communicators, 2.73 s of 4 x 1.5 s".
std::string share_phrase(const Profile& profile, const TrafficSums& whole);

// ---- orders of grids and graphs ----

// Those of all processes, equal ones together: the most frequent first, then by what they are. Numbers
// that 64 bits do not hold stay at the largest.
std::vector<ReportedOrder> merged_orders(const Profile& profile);

// "applied (k-d tree)", "not applied (k-d tree)", "nothing to gain".
std::string outcome_phrase(const ReportedOrder& order, Charset charset);

// "pairs of neighbours", "weights".
std::string unit_phrase(const ReportedOrder& order);

// "island 8 -> 8, switch 56 -> 24 (-57 %)".
std::string crossings_phrase(const ReportedOrder& order, Charset charset);

}  // namespace hitopo::tool

#endif
