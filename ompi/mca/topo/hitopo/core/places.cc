// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/places.h"

#include <algorithm>
#include <numeric>

namespace hitopo::topo {
namespace {

// Sorts ranks by the numbers of one level, equal ones as they were. Numbers are dense, from -1.
void sort_by(Level level, const std::vector<Address>& addresses, PerProcess& ranks) {
    const auto slot = [&](std::uint32_t rank) {
        return static_cast<std::size_t>(std::max(-1, addresses[rank][level]) + 1);
    };
    std::size_t num_slots = 0;
    for (const std::uint32_t rank : ranks) {
        num_slots = std::max(num_slots, slot(rank) + 1);
    }
    if (num_slots > 4 * ranks.size() + 1024) {  // not dense
        std::stable_sort(ranks.begin(), ranks.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return slot(a) < slot(b); });
        return;
    }
    std::vector<std::uint32_t> next(num_slots + 1);
    for (const std::uint32_t rank : ranks) {
        ++next[slot(rank) + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    PerProcess sorted(ranks.size());
    for (const std::uint32_t rank : ranks) {
        sorted[next[slot(rank)]++] = rank;
    }
    ranks = std::move(sorted);
}

bool differs(Level level, const std::vector<Address>& addresses) {
    return std::any_of(addresses.begin(), addresses.end(), [&](const Address& address) {
        return address[level] != addresses.front()[level];
    });
}

}  // namespace

Places::Places(const std::vector<Address>& addresses) {
    sort(addresses);
    divide(addresses);
}

void Places::sort(const std::vector<Address>& addresses) {
    rank_at_.resize(addresses.size());
    std::iota(rank_at_.begin(), rank_at_.end(), 0u);
    is_in_rank_order_ = std::is_sorted(addresses.begin(), addresses.end());
    if (is_in_rank_order_) {
        return;
    }
    for (int level = kNumLevels - 1; level >= 0; --level) {
        if (differs(static_cast<Level>(level), addresses)) {
            sort_by(static_cast<Level>(level), addresses, rank_at_);
        }
    }
}

void Places::divide(const std::vector<Address>& addresses) {
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

void Places::number_groups() {
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

std::size_t Places::first_crossed(std::uint32_t group, std::uint32_t other) const {
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
