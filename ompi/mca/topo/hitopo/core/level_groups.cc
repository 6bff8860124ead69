// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/level_groups.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace hitopo::topo {
namespace {

PerProcess sorted_ranks(const std::vector<Address>& addresses) {
    PerProcess ranks(addresses.size());
    std::iota(ranks.begin(), ranks.end(), 0u);
    if (!std::is_sorted(addresses.begin(), addresses.end())) {
        std::stable_sort(ranks.begin(), ranks.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return addresses[a] < addresses[b]; });
    }
    return ranks;
}

}  // namespace

LevelGroups::LevelGroups(const std::vector<Address>& addresses)
    : LevelGroups(addresses, sorted_ranks(addresses)) {}

LevelGroups::LevelGroups(const std::vector<Address>& addresses, PerProcess rank_at)
    : rank_at_(std::move(rank_at)) {
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(addresses[a], a) < std::tie(addresses[b], b);
    };
    for (auto node = rank_at_.begin(); node != rank_at_.end();) {
        const auto end = std::find_if(node, rank_at_.end(), [&](std::uint32_t rank) {
            const Address& first = addresses[*node];
            return !std::equal(first.begin(), first.begin() + kNode + 1, addresses[rank].begin());
        });
        if (!std::is_sorted(node, end, is_before)) {
            std::sort(node, end, is_before);
        }
        node = end;
    }
    is_in_rank_order_ = std::is_sorted(rank_at_.begin(), rank_at_.end());
    divide(addresses);
}

void LevelGroups::divide(const std::vector<Address>& addresses) {
    const std::size_t num = rank_at_.size();
    // At each position the outermost level at which it differs from the one before.
    std::vector<std::uint8_t> differs_at(num, kNumLevels);
    std::array<std::size_t, kNumLevels> num_starts = {};
    for (std::size_t p = 1; p < num; ++p) {
        const Address &before = addresses[rank_at_[p - 1]], &own = addresses[rank_at_[p]];
        const auto level = std::mismatch(own.begin(), own.end(), before.begin()).first - own.begin();
        differs_at[p] = static_cast<std::uint8_t>(level);
        if (level < kNumLevels) {
            ++num_starts[static_cast<std::size_t>(level)];
        }
    }
    std::size_t num_groups = 1;
    for (int level = 0; level < kNumLevels; ++level) {
        const std::size_t more = num_starts[static_cast<std::size_t>(level)];
        num_groups += more;
        if (more == 0 || num_groups >= num) {
            continue;
        }
        levels_.push_back(static_cast<Level>(level));
        PerProcess& starts = starts_.emplace_back(1, 0u);
        starts.reserve(num_groups);
        for (std::uint32_t p = 1; p < num; ++p) {
            if (differs_at[p] <= level) {
                starts.push_back(p);
            }
        }
    }
    number_groups();
}

void LevelGroups::number_groups() {
    group_at_.assign(rank_at_.size(), 0);
    if (levels_.empty()) {
        return;
    }
    const PerProcess& innermost = starts_.back();
    for (std::uint32_t group = 0; group < innermost.size(); ++group) {
        const std::size_t end = group + 1 < innermost.size() ? innermost[group + 1] : rank_at_.size();
        std::fill(group_at_.begin() + innermost[group],
                  group_at_.begin() + static_cast<std::ptrdiff_t>(end), group);
    }
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
        PerProcess& parents = parents_.emplace_back();
        std::uint32_t parent = 0;
        for (const std::uint32_t start : starts_[i + 1]) {
            while (parent + 1 < starts_[i].size() && starts_[i][parent + 1] <= start) {
                ++parent;
            }
            parents.push_back(parent);
        }
    }
}

std::size_t LevelGroups::first_crossed(std::uint32_t group, std::uint32_t other) const {
    if (group == other) {
        return levels_.size();
    }
    std::size_t i = levels_.size() - 1;
    while (i > 0) {
        group = parents_[i - 1][group];
        other = parents_[i - 1][other];
        if (group == other) {
            break;
        }
        --i;
    }
    return i;
}

}  // namespace hitopo::topo
