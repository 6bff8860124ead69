// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process would send across each lane if a collective call used its flat algorithm, that knows
// nothing of levels: the root talks to everyone else directly.
#ifndef PROFILER_TRAFFIC_FLAT_SEND_H
#define PROFILER_TRAFFIC_FLAT_SEND_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"

namespace hitopo {

// A communicator as one of its processes sees it.
class FlatGroup {
public:
    static constexpr std::int64_t kNobody = -1;

    // lanes: the lane to each peer: the processes of an intracommunicator, of an intercommunicator those
    // of the remote group. self: the process's own rank among the peers, which gets nothing; kNobody in
    // an intercommunicator.
    FlatGroup(std::vector<Lane> lanes, std::int64_t self);

    std::int64_t size() const { return static_cast<std::int64_t>(lanes_.size()); }
    std::int64_t self() const { return self_; }
    bool is_peer(std::int64_t rank) const { return rank >= 0 && rank < size() && rank != self_; }

    Lane lane_to(std::int64_t rank) const { return lanes_[static_cast<std::size_t>(rank)]; }
    const PerLane& num_peers() const { return num_peers_; }

private:
    std::vector<Lane> lanes_;
    std::int64_t self_;
    PerLane num_peers_{};
};

// The bytes of one call.
class FlatSend {
public:
    explicit FlatSend(const FlatGroup& group) : group_(group) {}

    // Ranks that are no peer (a caller's mistake, the process itself, MPI_PROC_NULL) get nothing.
    void to_one(std::int64_t rank, std::uint64_t bytes);
    void to_all(std::uint64_t bytes);
    // bytes_of(rank), for each peer.
    template <class BytesOf>
    void to_each(BytesOf&& bytes_of) {
        for (std::int64_t rank = 0; rank < group_.size(); ++rank) {
            to_one(rank, bytes_of(rank));
        }
    }
    // Rank 0 gathers and sends the result to all; of an intercommunicator, the other group's rank 0
    // gathers.
    void all_through_first(std::uint64_t bytes);

    const PerLane& bytes() const { return bytes_; }
    std::uint64_t sum() const;

private:
    const FlatGroup& group_;
    PerLane bytes_{};
};

}  // namespace hitopo

#endif
