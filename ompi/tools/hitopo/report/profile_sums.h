// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a report says of a communicator: the sums over its processes. A sum that 64 bits do not hold
// stays at the largest number.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_SUMS_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_SUMS_H

#include <cstdint>
#include <string>
#include <vector>

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

// Calls of one function, of all processes.
struct ServedSum {
    std::string name;
    std::uint64_t count = 0;
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
    std::vector<Call> by_call;              // the longest time first, then by name
    std::vector<ServedSum> served;          // that coll/hitopo served, by name
    std::vector<const Traffic*> processes;  // those that counted something, by rank; the profile's
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

}  // namespace hitopo::tool

#endif
