// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/peers.h"

#include <utility>

namespace hitopo {

Peers::Peers(std::vector<int> world_ranks, const std::vector<Lane>& world_lanes, std::int64_t self)
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

}  // namespace hitopo
