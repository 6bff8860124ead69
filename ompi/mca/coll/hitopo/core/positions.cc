// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "ompi/mca/coll/hitopo/core/groups.h"

namespace hitopo::coll {

RowPositions::RowPositions(AddressRows rows, int num_ranks, unsigned levels)
    : levels_(levels),
      rank_of_(static_cast<std::size_t>(num_ranks)),
      position_of_(static_cast<std::size_t>(num_ranks)),
      starts_(kNumLevels) {
    // The outermost counting level at which they differ.
    const auto differing = [=](int a, int b) {
        int level = 0;
        while (level < kNumLevels && ((levels >> level & 1u) == 0 || rows[a][level] == rows[b][level])) {
            ++level;
        }
        return level;
    };
    std::iota(rank_of_.begin(), rank_of_.end(), 0);
    std::stable_sort(rank_of_.begin(), rank_of_.end(), [&](int a, int b) {
        const int level = differing(a, b);
        return level < kNumLevels && rows[a][level] < rows[b][level];
    });
    for (int position = 0; position < num_ranks; ++position) {
        position_of_[static_cast<std::size_t>(rank_of(position))] = position;
        const int outermost = position == 0 ? 0 : differing(rank_of(position - 1), rank_of(position));
        for (int level = outermost; level < kNumLevels; ++level) {
            starts_[static_cast<std::size_t>(level)].push_back(position);
        }
    }
    for (std::vector<int>& starts : starts_) {
        starts.push_back(num_ranks);
    }
}

int RowPositions::group_at(int level, int position) const {
    const std::vector<int>& starts = starts_[static_cast<std::size_t>(level)];
    return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), position) - starts.begin()) -
           1;
}

}  // namespace hitopo::coll
