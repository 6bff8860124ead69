// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process sent to each other one and fetched from it, whatever the call.
#ifndef PROFILER_TRAFFIC_PAIRS_H
#define PROFILER_TRAFFIC_PAIRS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

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
