// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/split.h"

#include <algorithm>
#include <map>

namespace hitopo {

// Many are marked, not sorted.
void put_in_order(Ranks& ranks, std::size_t size) {
    if (ranks.size() < size / 64) {
        std::sort(ranks.begin(), ranks.end());
    }
    if (std::is_sorted(ranks.begin(), ranks.end())) {
        return;
    }
    std::vector<bool> is_in(size, false);
    for (const std::uint32_t rank : ranks) {
        is_in[rank] = true;
    }
    auto next = ranks.begin();
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        if (is_in[rank]) {
            *next++ = rank;
        }
    }
}

OwnGroup Split::own(std::uint32_t rank) const {
    OwnGroup own;
    own.number = group[rank];
    own.count = count;
    for (std::uint32_t other = 0; own.number >= 0 && other < group.size(); ++other) {
        if (group[other] == own.number) {
            own.ranks.push_back(other);
        }
    }
    return own;
}

Split split_by_color(const std::vector<std::int64_t>& colors) {
    std::map<std::int64_t, std::int32_t> groups = {{0, Split::kNone}};
    Split split;
    split.group.reserve(colors.size());
    for (const std::int64_t color : colors) {
        const auto next = static_cast<std::int32_t>(split.count);
        const auto [group, is_new] = groups.emplace(color, next);
        split.group.push_back(group->second);
        split.count += is_new ? 1 : 0;
    }
    return split;
}

Split split_by_number(const std::vector<std::int32_t>& numbers) {
    const auto highest = std::max_element(numbers.begin(), numbers.end());
    const std::int32_t end = highest == numbers.end() ? 0 : std::max(*highest, Split::kNone) + 1;
    std::vector<std::int32_t> anew(static_cast<std::size_t>(end), Split::kNone);
    Split split;
    split.group.reserve(numbers.size());
    for (const std::int32_t number : numbers) {
        if (number < 0) {
            split.group.push_back(Split::kNone);
            continue;
        }
        std::int32_t& own = anew[static_cast<std::size_t>(number)];
        if (own == Split::kNone) {
            own = static_cast<std::int32_t>(split.count++);
        }
        split.group.push_back(own);
    }
    return split;
}

}  // namespace hitopo
