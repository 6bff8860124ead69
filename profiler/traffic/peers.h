// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The processes that messages of a communicator go to, and the bytes that one process would send across
// each lane if a collective call used its flat algorithm, which knows nothing of levels: the root sends
// to everyone else directly.
#ifndef PROFILER_TRAFFIC_PEERS_H
#define PROFILER_TRAFFIC_PEERS_H

#include <cstdint>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "profiler/traffic/counters.h"

namespace hitopo {

// The processes that one process can send to in a communicator: all of an intracommunicator, of an
// intercommunicator the remote group.
class Peers {
public:
    static constexpr std::int64_t kNone = -1;

    // world_ranks: of each peer; negative outside of MPI_COMM_WORLD. world_lanes: to each rank of
    // MPI_COMM_WORLD; lives on. self: the process's own rank among the peers; kNone in an
    // intercommunicator.
    Peers(std::vector<int> world_ranks, const std::vector<Lane>& world_lanes, std::int64_t self)
        : world_ranks_(std::move(world_ranks)),
          world_lanes_(&world_lanes),
          size_(static_cast<std::int64_t>(world_ranks_.size())),
          self_(self) {
        bool is_world = true;
        for (std::int64_t rank = 0; rank < size_; ++rank) {
            num_others_[static_cast<std::size_t>(lane_to(rank))] += is_other(rank) ? 1 : 0;
            is_world = is_world && world_rank(rank) == rank;
        }
        if (is_world) {
            world_ranks_ = {};
        }
    }

    std::int64_t size() const { return size_; }
    std::int64_t self() const { return self_; }
    // MPI_PROC_NULL is no peer, nor is a rank that MPI refuses.
    bool has(std::int64_t rank) const { return rank >= 0 && rank < size_; }
    bool is_other(std::int64_t rank) const { return has(rank) && rank != self_; }

    int world_rank(std::int64_t rank) const {
        return world_ranks_.empty() ? static_cast<int>(rank)
                                    : world_ranks_[static_cast<std::size_t>(rank)];
    }
    Lane lane_to(std::int64_t rank) const {
        const int world = world_rank(rank);
        return world < 0 ? Lane::kUnknown : (*world_lanes_)[static_cast<std::size_t>(world)];
    }
    Message message_to(std::int64_t rank, std::uint64_t bytes) const {
        return {world_rank(rank), lane_to(rank), bytes};
    }
    const PerLane& num_others() const { return num_others_; }

private:
    std::vector<int> world_ranks_;  // empty: each peer's rank is the one in MPI_COMM_WORLD
    const std::vector<Lane>* world_lanes_;
    std::int64_t size_;
    std::int64_t self_;
    PerLane num_others_{};
};

// The bytes of one call.
class FlatSend {
public:
    explicit FlatSend(const Peers& peers) : peers_(peers) {}

    // Ranks that are no other one (a caller's mistake, the process itself, MPI_PROC_NULL) get nothing.
    void to_one(std::int64_t rank, std::uint64_t bytes) {
        if (peers_.is_other(rank)) {
            bytes_[static_cast<std::size_t>(peers_.lane_to(rank))] += bytes;
        }
    }
    void to_all(std::uint64_t bytes) {
        for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
            bytes_[lane] += bytes * peers_.num_others()[lane];
        }
    }
    // bytes_of(rank), for each peer.
    template <class BytesOf>
    void to_each(BytesOf&& bytes_of) {
        for (std::int64_t rank = 0; rank < peers_.size(); ++rank) {
            to_one(rank, bytes_of(rank));
        }
    }
    // Rank 0 gathers and sends the result to all; of an intercommunicator, the other group's rank 0
    // gathers.
    void all_through_first(std::uint64_t bytes) {
        if (peers_.self() == 0) {
            to_all(bytes);
        } else {
            to_one(0, bytes);
        }
    }

    const PerLane& bytes() const { return bytes_; }

private:
    const Peers& peers_;
    PerLane bytes_{};
};

}  // namespace hitopo

#endif
