// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/traffic.h"

#include <algorithm>

namespace hitopo {
namespace {

void add(PerLane& sums, const PerLane& more) {
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        sums[lane] += more[lane];
    }
}

}  // namespace

void PeerSums::add(Lane lane, const PeerCount& peer) {
    const auto i = static_cast<std::size_t>(lane);
    messages[i] += peer.messages;
    bytes[i] += peer.bytes;
    ticks[i] += peer.ticks;
    fetches[i] += peer.fetches;
    fetched_bytes[i] += peer.fetched_bytes;
}

PeerCount& Traffic::find_peer(std::uint32_t rank) {
    last_ = numbers_.number_of(rank);
    if (last_ == peers_.size()) {
        peers_.emplace_back().rank = rank;
    }
    return peers_[last_];
}

void Traffic::add_collective(const PerLane& bytes) { add(collective_bytes_, bytes); }

ServedCount& Traffic::find_served(std::size_t function) {
    auto sums = std::find_if(served_.begin(), served_.end(), [function](const ServedCount& served) {
        return served.function == function;
    });
    return sums == served_.end() ? *served_.insert(sums, {function}) : *sums;
}

void Traffic::add_served(std::size_t function, const Crossings& crossings, const PerLane& flat_bytes) {
    ServedCount& sums = find_served(function);
    ++sums.count;
    add(sums.flat_bytes, flat_bytes);
    add_crossings(function, crossings);
}

void Traffic::add_crossings(std::size_t function, const Crossings& crossings) {
    ServedCount& sums = find_served(function);
    add(sums.crossings.messages, crossings.messages);
    add(sums.crossings.bytes, crossings.bytes);
}

}  // namespace hitopo
