// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a report: sums over the processes, for the whole job and for each kind of
// communicators. A sum that 64 bits do not hold stays at the largest number.
#ifndef PROFILER_TOOL_PROFILE_PROFILE_SUMS_H
#define PROFILER_TOOL_PROFILE_PROFILE_SUMS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

struct LaneSum {
    std::uint64_t messages = 0, bytes = 0;                // sent to and fetched from single peers
    std::uint64_t collective_bytes = 0;                   // of flat collectives
    std::uint64_t served_messages = 0, served_bytes = 0;  // of collectives that coll/hitopo served
    std::uint64_t served_flat_bytes = 0;                  // of the same calls, if they were flat
};

// Messages by length: the first of these that holds.
inline constexpr std::array<const char*, 6> kSizeNames = {"0 B",      "< 64 B",  "< 1 KiB",
                                                          "< 64 KiB", "< 1 MiB", ">= 1 MiB"};
struct FunctionSum : CallCount {
    std::size_t num_processes = 0;            // that call it
    std::uint64_t least_ns = 0, most_ns = 0;  // of a process, whether it calls it or not
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
    std::array<MessageCount, kSizeNames.size()> sizes{};
    std::vector<FunctionSum> by_call;             // the longest time first, then by name
    std::map<std::string, std::uint64_t> served;  // calls that coll/hitopo served, by function
};

struct KindSum : TrafficSums {
    std::size_t kind = 0;      // index into Profile::kinds
    std::uint64_t number = 0;  // of communicators; 0 where they have no size
};

struct ProfileSums {
    TrafficSums whole;
    std::vector<KindSum> kinds;             // of which a call was counted; the longest time first
    std::vector<std::uint64_t> process_ns;  // of each of Profile::processes
    std::uint64_t other_orders = 0;  // of grids and graphs, of kinds that a process had too many of
};

ProfileSums sum_up(const Profile& profile);

// All that a process counted, each function once.
TrafficRecord of_all_kinds(const ProcessRecord& process);

// As 64 bits hold it.
void add_to(std::uint64_t& total, std::uint64_t more);
void add_to(CallCount& total, const CallCount& more);
void add_to(MessageCount& total, const MessageCount& more);

// a / b; 0 where b is.
double share_of(std::uint64_t a, std::uint64_t b);

// ---- pairs of processes ----

struct Pair {
    int from = 0, to = 0;  // ranks in MPI_COMM_WORLD; `from` counted it
    std::uint64_t messages = 0, bytes = 0;
};

// The `count` pairs with the most bytes, then messages, then by ranks; and the number of all pairs.
struct HeaviestPairs {
    std::vector<Pair> pairs;
    std::size_t num_pairs = 0;
};
HeaviestPairs heaviest_pairs(const Profile& profile, std::size_t count);

// Lanes between ranks of a table: the profiler's.
class RankLanes {
public:
    explicit RankLanes(const std::optional<TableDocument>& table);

    // "node"; "unknown" without a table.
    std::string_view between(int a, int b) const;

private:
    const TableDocument* table_;
    Lanes lanes_;
};

// ---- orders of grids and graphs ----

// The orders of all processes, equal ones together: the most frequent first, then by their members.
// Numbers that 64 bits do not hold stay at the largest.
std::vector<OrderCount> merged_orders(const Profile& profile);

}  // namespace hitopo::tool

#endif
