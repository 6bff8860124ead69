// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/traffic.h"

namespace hitopo {

PeerCount& Traffic::find_peer(std::uint32_t rank) {
    last_ = numbers_.number_of(rank);
    if (last_ == peers_.size()) {
        peers_.emplace_back().rank = rank;
    }
    return peers_[last_];
}

void Traffic::add_collective(const PerLane& bytes) {
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        collective_bytes_[lane] += bytes[lane];
    }
}

}  // namespace hitopo
