// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/flat_send.h"

#include <numeric>
#include <utility>

namespace hitopo {

FlatGroup::FlatGroup(std::vector<Lane> lanes, std::int64_t self)
    : lanes_(std::move(lanes)), self_(self) {
    for (std::int64_t rank = 0; rank < size(); ++rank) {
        num_peers_[static_cast<std::size_t>(lane_to(rank))] += is_peer(rank) ? 1 : 0;
    }
}

void FlatSend::to_one(std::int64_t rank, std::uint64_t bytes) {
    if (group_.is_peer(rank)) {
        bytes_[static_cast<std::size_t>(group_.lane_to(rank))] += bytes;
    }
}

void FlatSend::to_all(std::uint64_t bytes) {
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        bytes_[lane] += bytes * group_.num_peers()[lane];
    }
}

void FlatSend::all_through_first(std::uint64_t bytes) {
    if (group_.self() == 0) {
        to_all(bytes);
    } else {
        to_one(0, bytes);
    }
}

std::uint64_t FlatSend::sum() const {
    return std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0});
}

}  // namespace hitopo
