// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/counters.h"

namespace hitopo {

void KindCounters::add_served(std::size_t function, std::uint64_t count, const Crossings& crossings,
                              const PerLane& flat_bytes) {
    auto sums = std::find_if(
        served_.begin(), served_.end(),
        [function](const FunctionCrossings& served) { return served.function == function; });
    sums = sums == served_.end() ? served_.insert(sums, FunctionCrossings{function}) : sums;
    sums->count += count;
    add_to(sums->messages, crossings.messages);
    add_to(sums->bytes, crossings.bytes);
    add_to(sums->flat_bytes, flat_bytes);
}

void KindCounters::add(const KindCounters& more) {
    for (const FunctionCount& call : more.calls_) {
        add_call(call.function, call.count, call.bytes, call.ticks);
    }
    for (std::size_t i = 0; i < kNumLanes; ++i) {
        add_to(lanes_[i], more.lanes_[i]);
    }
    for (std::size_t i = 0; i < kNumSizes; ++i) {
        add_to(sizes_[i], more.sizes_[i]);
    }
    add_collective(more.collective_bytes_);
    for (const FunctionCrossings& served : more.served_) {
        add_served(served.function, served.count, {served.messages, served.bytes}, served.flat_bytes);
    }
}

void Pairs::find(int rank) {
    last_ = numbers_.number_of(static_cast<std::uint64_t>(rank));
    if (last_ == counts_.size()) {
        counts_.push_back({rank});
    }
}

FunctionCount Counters::total() const {
    FunctionCount total;
    for (const auto& kind : kinds_) {
        if (kind == nullptr) {
            continue;
        }
        for (const FunctionCount& call : kind->calls()) {
            total.count += call.count;
            total.bytes += call.bytes;
            total.ticks += call.ticks;
        }
    }
    return total;
}

KindCounters& Counters::make(std::size_t kind) {
    kinds_[kind] = std::make_unique<KindCounters>(num_functions_);
    return *kinds_[kind];
}

void Counters::add(const Counters& more) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        if (more.kinds_[kind] != nullptr) {
            of(kind).add(*more.kinds_[kind]);
        }
    }
    for (const PeerCount& pair : more.pairs_.counts()) {
        pairs_.add(pair);
    }
    add_to(unknown_, more.unknown_);
}

}  // namespace hitopo
