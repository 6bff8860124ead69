// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process did in one communicator: the profiler's counters.
#ifndef PROFILER_TRAFFIC_TRAFFIC_H
#define PROFILER_TRAFFIC_TRAFFIC_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// What really crossed each lane for collective calls, of what one process sent, where the component that
// served them tells. Whoever makes one sets it to {} or does not use it: most calls need none.
struct Crossings {
    PerLane messages, bytes;

    void add(Lane lane, std::uint64_t num_bytes) {
        ++messages[static_cast<std::size_t>(lane)];
        bytes[static_cast<std::size_t>(lane)] += num_bytes;
    }
};

// Sums over all served calls of a function: flat_bytes is FlatSend's for these.
struct ServedCount {
    std::size_t function = 0;
    std::uint64_t count = 0;
    Crossings crossings = {};
    PerLane flat_bytes = {};
};

// One function. Ticks are the profiler's unit of time.
struct CallCount {
    std::uint64_t count = 0, bytes = 0, ticks = 0;
};

struct PeerCount {
    std::uint32_t rank = 0;
    std::uint64_t messages = 0, bytes = 0, ticks = 0;  // what went there
    std::uint64_t fetches = 0, fetched_bytes = 0;      // what one-sided calls brought from there
};

// Sums over all peers that a lane leads to.
struct PeerSums {
    PerLane messages{}, bytes{}, ticks{}, fetches{}, fetched_bytes{};

    void add(Lane lane, const PeerCount& peer);
};

class Traffic {
public:
    explicit Traffic(std::size_t num_functions) : calls_(num_functions) {}

    // add_call and add_message at once, where the peer (negative: none) is the last one; else does
    // nothing.
    bool add_quickly(std::size_t function, std::uint64_t bytes, std::uint64_t ticks, std::int64_t peer) {
        if (peer >= 0) {
            if (last_ >= peers_.size() || peers_[last_].rank != peer) {
                return false;
            }
            add_to(peers_[last_], bytes, ticks);
        }
        add_call(function, bytes, ticks);
        return true;
    }
    void add_call(std::size_t function, std::uint64_t bytes, std::uint64_t ticks) {
        CallCount& call = calls_[function];
        ++call.count;
        call.bytes += bytes;
        call.ticks += ticks;
    }
    void add_message(std::uint32_t peer, std::uint64_t bytes, std::uint64_t ticks) {
        add_to(peer_of(peer), bytes, ticks);
    }
    void add_fetch(std::uint32_t peer, std::uint64_t bytes) {
        PeerCount& count = peer_of(peer);
        ++count.fetches;
        count.fetched_bytes += bytes;
    }
    void add_collective(const PerLane& bytes);
    // A collective call that was served by the table; flat_bytes as add_collective got them.
    void add_served(std::size_t function, const Crossings& crossings, const PerLane& flat_bytes);
    // More of one that was added.
    void add_crossings(std::size_t function, const Crossings& crossings);

    const std::vector<CallCount>& calls() const { return calls_; }
    const std::vector<PeerCount>& peers() const { return peers_; }  // in the order of first sight
    const PerLane& collective_bytes() const { return collective_bytes_; }
    const std::vector<ServedCount>& served() const { return served_; }  // in the order of first sight

private:
    static void add_to(PeerCount& count, std::uint64_t bytes, std::uint64_t ticks) {
        ++count.messages;
        count.bytes += bytes;
        count.ticks += ticks;
    }
    PeerCount& peer_of(std::uint32_t rank) {
        if (last_ < peers_.size() && peers_[last_].rank == rank) {
            return peers_[last_];
        }
        return find_peer(rank);
    }
    PeerCount& find_peer(std::uint32_t rank);
    ServedCount& find_served(std::size_t function);

    std::vector<CallCount> calls_;
    FlatMap numbers_;  // of ranks among peers_
    std::vector<PeerCount> peers_;
    std::size_t last_ = 0;
    PerLane collective_bytes_{};
    std::vector<ServedCount> served_;  // a few
};

// ---- what one process sent to each other one and fetched from it, whatever the call ----

struct PairCount {
    std::uint32_t rank = 0;
    std::uint64_t messages = 0, bytes = 0;
};

// By rank, in one communicator or in MPI_COMM_WORLD.
class Pairs {
public:
    void add(const PairCount& more) {
        if (last_ >= counts_.size() || counts_[last_].rank != more.rank) {
            last_ = numbers_.number_of(more.rank);
        }
        if (last_ == counts_.size()) {
            counts_.push_back({more.rank});
        }
        counts_[last_].messages += more.messages;
        counts_[last_].bytes += more.bytes;
    }

    const std::vector<PairCount>& counts() const { return counts_; }  // in the order of first sight
    std::vector<PairCount> by_rank() const {
        std::vector<PairCount> sorted = counts_;
        std::sort(sorted.begin(), sorted.end(),
                  [](const PairCount& a, const PairCount& b) { return a.rank < b.rank; });
        return sorted;
    }

private:
    FlatMap numbers_;  // of ranks among counts_
    std::vector<PairCount> counts_;
    std::size_t last_ = 0;
};

// The pairs of one process, over all its communicators.
struct WorldPairs {
    Pairs pairs;
    PairCount unknown;                   // with processes that are not in MPI_COMM_WORLD; no rank
    std::uint64_t collective_bytes = 0;  // of flat collectives but those of neighbourhoods
};

}  // namespace hitopo

#endif
