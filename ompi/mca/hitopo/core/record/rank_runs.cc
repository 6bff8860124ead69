// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/rank_runs.h"

namespace hitopo {

// As if its ranks came one by one: the latest run takes what continues it, one of a single rank
// anything.
void RankRuns::add(const RankRun& run) {
    RankRun rest = run;
    add(rest.first);
    if (--rest.count == 0) {
        return;
    }
    rest.first += rest.stride;
    RankRun& own = latest();
    if (own.count == 1 || own.stride == rest.stride) {  // which takes all
        own.stride = rest.stride;
        own.count += rest.count;
        size_ += rest.count;
        return;
    }
    add(rest);
}

std::uint32_t RankRuns::operator[](std::size_t index) const {
    std::size_t number = 0;
    for (; index >= run(number).count; ++number) {
        index -= run(number).count;
    }
    return run(number).first + static_cast<std::uint32_t>(index) * run(number).stride;
}

std::vector<std::uint32_t> RankRuns::to_vector() const {
    std::vector<std::uint32_t> ranks;
    ranks.reserve(size_);
    for_each([&](std::uint32_t rank) { ranks.push_back(rank); });
    return ranks;
}

}  // namespace hitopo
