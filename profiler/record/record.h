// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A process's part of a profile: the profiler's library fills these records and hitopo-profile
// reads them. docs/json.md, "profile", has their form in a file; record_json.h writes it.
#ifndef PROFILER_RECORD_RECORD_H
#define PROFILER_RECORD_RECORD_H

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace hitopo {

// Messages to single peers, and fetches from them by one-sided calls.
struct MessageCount {
    std::uint64_t messages = 0, bytes = 0;
};

struct CallCount {
    std::string name;  // "MPI_Send"
    std::uint64_t count = 0, bytes = 0, ns = 0;
};

struct LaneCount {
    int lane = 0;                           // index into the document's lanes
    std::uint64_t messages = 0, bytes = 0;  // to and from single peers
    std::uint64_t collective_bytes = 0;     // that flat collectives would send
};

// Messages whose length has so many bits.
struct SizeCount {
    int bits = 0;
    std::uint64_t messages = 0, bytes = 0;
};

// The messages of one process for the calls of one function that coll/hitopo served.
struct ServedCount {
    std::string name;  // "MPI_Bcast"
    std::uint64_t count = 0;
    std::vector<std::uint64_t> messages, bytes;  // for each lane
    std::vector<std::uint64_t> flat_bytes;       // of these calls, as collective_bytes
};

// One process's counts for the communicators of one kind.
struct TrafficRecord {
    int kind = 0;            // index into the document's kinds
    std::uint64_t made = 0;  // number of these communicators that it is or was in
    std::vector<CallCount> calls;
    std::vector<LaneCount> lanes;
    std::vector<SizeCount> sizes;
    std::vector<ServedCount> served;
};

// Communicators that were made in the same way, or have one name.
struct KindRecord {
    std::string key;   // equal at all processes
    std::string name;  // "Cart_create of WORLD"
    int size = 0;      // of each; 0: of no communicator, or of several sizes
    int remote_size = 0;
};

// The messages between one process and another one of MPI_COMM_WORLD.
struct PeerCount {
    int rank = 0;
    std::uint64_t messages = 0, bytes = 0;
};

// Orders of the processes of grids or graphs, which one process reported.
struct OrderCount {
    std::string call;  // "MPI_Cart_create"
    int size = 0;      // number of processes that are ordered
    std::uint64_t count = 1;
    std::string candidate;  // "k-d tree"
    bool is_weighted = false;
    bool is_applied = false;
    std::vector<std::string> levels;           // outermost first
    std::vector<std::uint64_t> before, after;  // across each of them

    // All but the count.
    auto what() const {
        return std::tie(call, size, candidate, is_weighted, is_applied, levels, before, after);
    }
};

struct ProcessRecord {
    int rank = 0;
    std::optional<std::string> allowed;  // the CPUs of its cpuset
    std::vector<TrafficRecord> kinds;    // one for each kind at most
    std::uint64_t collective_bytes = 0;  // of flat collectives but those of neighbourhoods
    bool has_pairs = false;
    std::vector<PeerCount> pairs;
    MessageCount unknown;  // with processes outside MPI_COMM_WORLD
    std::vector<OrderCount> orders;
    std::uint64_t other_orders = 0;  // of kinds that it had too many of
};

}  // namespace hitopo

#endif
