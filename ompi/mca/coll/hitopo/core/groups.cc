// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/groups.h"

#include <algorithm>
#include <numeric>

namespace hitopo::coll {
namespace {

std::vector<int> levels_in(unsigned levels) {
    std::vector<int> counting;
    for (int level = 0; level < kNumLevels; ++level) {
        if ((levels >> level & 1u) != 0) {
            counting.push_back(level);
        }
    }
    return counting;
}

// The starts that lie in `whole`, and its end.
std::vector<int> starts_within(const std::vector<int>& starts, Interval whole) {
    const auto begin = std::lower_bound(starts.begin(), starts.end(), whole.first);
    return {begin, std::upper_bound(begin, starts.end(), whole.last)};
}

}  // namespace

std::string_view division_name(int level) {
    return level == kProcess ? "process" : level_name(static_cast<Level>(level));
}

int Group::child_of(int position) const {
    return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), position) - starts.begin()) -
           1;
}

Groups::Groups(AddressRows rows, int num_ranks, int own_rank, unsigned levels)
    : rank_of_(static_cast<std::size_t>(num_ranks)), position_of_(static_cast<std::size_t>(num_ranks)) {
    const std::vector<int> counting = levels_in(levels);
    std::iota(rank_of_.begin(), rank_of_.end(), 0);
    std::stable_sort(rank_of_.begin(), rank_of_.end(), [&](int a, int b) {
        const auto differing = std::find_if(counting.begin(), counting.end(),
                                            [&](int level) { return rows[a][level] != rows[b][level]; });
        return differing != counting.end() && rows[a][*differing] < rows[b][*differing];
    });
    for (int position = 0; position < num_ranks; ++position) {
        position_of_[static_cast<std::size_t>(rank_of(position))] = position;
        is_in_rank_order_ = is_in_rank_order_ && rank_of(position) == position;
    }
    own_position_ = position_of(own_rank);
    divide(rows, levels);
    follow_own_path();
}

// Level by level: a group begins where one begins outside of it, or where the level's number changes.
void Groups::divide(AddressRows rows, unsigned levels) {
    shape_.num_processes = size();
    std::vector<int> outer = {0, size()};
    for (int level = 0; level < kNumDivisions; ++level) {
        if (level != kProcess && (levels >> level & 1u) == 0) {
            continue;
        }
        std::vector<int> inner;
        for (std::size_t i = 0; i + 1 < outer.size(); ++i) {
            const std::size_t before = inner.size();
            for (int at = outer[i]; at < outer[i + 1]; ++at) {
                if (at == outer[i] || level == kProcess ||
                    rows[rank_of(at)][level] != rows[rank_of(at - 1)][level]) {
                    inner.push_back(at);
                }
            }
            const int num_children = static_cast<int>(inner.size() - before);
            if (num_children > 1) {
                int& most = shape_.max_children[static_cast<std::size_t>(level)];
                most = std::max(most, num_children);
            }
        }
        shape_.num_groups[static_cast<std::size_t>(level)] = static_cast<int>(inner.size());
        inner.push_back(size());
        shape_.max_leaving[static_cast<std::size_t>(level)] = most_leaving(inner);
        if (level != kProcess) {
            divisions_.push_back({level, inner});
        }
        outer = std::move(inner);
    }
}

int Groups::most_leaving(const std::vector<int>& starts) const {
    std::vector<int> group_of(static_cast<std::size_t>(size()));  // by rank
    for (std::size_t group = 0; group + 1 < starts.size(); ++group) {
        for (int at = starts[group]; at < starts[group + 1]; ++at) {
            group_of[static_cast<std::size_t>(rank_of(at))] = static_cast<int>(group);
        }
    }
    std::vector<int> num_leaving(starts.size());
    for (std::size_t rank = 0; rank < group_of.size(); ++rank) {
        const int next = group_of[(rank + 1) % group_of.size()];
        num_leaving[static_cast<std::size_t>(group_of[rank])] += next != group_of[rank] ? 1 : 0;
    }
    return *std::max_element(num_leaving.begin(), num_leaving.end());
}

void Groups::follow_own_path() {
    Interval whole = {0, size()};
    const auto enter = [&](int level, std::vector<int> starts) {
        if (starts.size() > 2) {
            Group group{level, std::move(starts), 0};
            group.own = group.child_of(own_position_);
            whole = group.child(group.own);
            path_.push_back(std::move(group));
        }
    };
    for (const Division& division : divisions_) {
        enter(division.level, starts_within(division.starts, whole));
    }
    std::vector<int> each(static_cast<std::size_t>(whole.size()) + 1);
    std::iota(each.begin(), each.end(), whole.first);
    enter(kProcess, std::move(each));
}

Interval Groups::child_with(int position, Interval whole) const {
    for (const Division& division : divisions_) {
        const auto next = std::upper_bound(division.starts.begin(), division.starts.end(), position);
        const Interval child = {*(next - 1), *next};
        if (child.size() < whole.size()) {
            return child;
        }
    }
    return {position, position + 1};
}

bool has_several_nodes(const Groups& groups) {
    return !groups.path().empty() && groups.path().front().level <= kNode;
}

}  // namespace hitopo::coll
