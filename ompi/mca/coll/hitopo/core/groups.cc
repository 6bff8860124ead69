// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hitopo::coll {
namespace {

// The groups of one level that counts, or single processes.
struct LevelIntervals {
    int level;
    std::vector<int> starts;  // and the end of the last

    int num_groups() const { return static_cast<int>(starts.size()) - 1; }
};

std::vector<int> starts_at(const Positions& positions, int level) {
    std::vector<int> starts = {0};
    while (starts.back() < positions.size()) {
        starts.push_back(positions.group(level, starts.back()).last);
    }
    return starts;
}

// The divisions, outermost first; the last is that into single processes.
std::vector<LevelIntervals> divisions_of(const Positions& positions) {
    std::vector<LevelIntervals> divisions;
    for (int level = 0; level < kNumLevels; ++level) {
        if ((positions.levels() >> level & 1u) != 0) {
            divisions.push_back({level, starts_at(positions, level)});
        }
    }
    LevelIntervals& processes = divisions.emplace_back(LevelIntervals{kProcess, {}});
    processes.starts.resize(static_cast<std::size_t>(positions.size()) + 1);
    std::iota(processes.starts.begin(), processes.starts.end(), 0);
    return divisions;
}

// The starts that lie in `whole`, and its end.
std::vector<int> starts_within(const std::vector<int>& starts, Interval whole) {
    const auto begin = std::lower_bound(starts.begin(), starts.end(), whole.first);
    return {begin, std::upper_bound(begin, starts.end(), whole.last)};
}

int max_children(const LevelIntervals& outer, const LevelIntervals& inner) {
    int most = 0;
    std::size_t child = 0;
    for (std::size_t group = 1; group < outer.starts.size(); ++group) {
        const std::size_t first = child;
        while (inner.starts[child] < outer.starts[group]) {
            ++child;
        }
        most = std::max(most, static_cast<int>(child - first));
    }
    return most > 1 ? most : 0;
}

// Whether ranks of each group follow each other, round the end too: a group that is an interval has one
// rank whose next is in another group.
bool is_by_slot(const Positions& positions, const LevelIntervals& division) {
    const auto group_of = [&](int rank) {
        return positions.group(division.level, positions.position_of(rank % positions.size())).first;
    };
    int num_leaving = 0, group = group_of(0);
    for (int rank = 1; rank <= positions.size() && num_leaving <= division.num_groups(); ++rank) {
        const int next = group_of(rank);
        num_leaving += next != group ? 1 : 0;
        group = next;
    }
    return num_leaving <= division.num_groups();
}

Shape shape_of(const Positions& positions, const std::vector<LevelIntervals>& divisions) {
    Shape shape;
    shape.num_processes = positions.size();
    const LevelIntervals all = {kProcess, {0, positions.size()}};
    const LevelIntervals* outer = &all;
    for (const LevelIntervals& division : divisions) {
        const auto level = static_cast<std::size_t>(division.level);
        shape.max_children[level] = max_children(*outer, division);
        shape.num_groups[level] = division.num_groups();
        shape.is_by_slot =
            shape.is_by_slot && (division.level == kProcess || is_by_slot(positions, division));
        outer = &division;
    }
    return shape;
}

std::vector<Group> path_to(int position, const std::vector<LevelIntervals>& divisions) {
    std::vector<Group> path;
    Interval whole = {0, divisions.back().num_groups()};
    for (const LevelIntervals& division : divisions) {
        Group group{division.level, starts_within(division.starts, whole), 0};
        if (group.num_children() > 1) {
            group.own = group.child_of(position);
            whole = group.child(group.own);
            path.push_back(std::move(group));
        }
    }
    path.shrink_to_fit();
    return path;
}

}  // namespace

std::string_view division_name(int level) {
    return level == kProcess ? "process" : level_name(static_cast<Level>(level));
}

int Group::child_of(int position) const {
    return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), position) - starts.begin()) -
           1;
}

Groups::Groups(std::shared_ptr<const Positions> positions, int own_rank)
    : positions_(std::move(positions)), own_position_(positions_->position_of(own_rank)) {
    const std::vector<LevelIntervals> divisions = divisions_of(*positions_);
    shape_ = shape_of(*positions_, divisions);
    path_ = path_to(own_position_, divisions);
}

Interval Groups::child_with(int position, Interval whole) const {
    for (int level = 0; level < kNumLevels; ++level) {
        if ((positions_->levels() >> level & 1u) != 0) {
            const Interval child = positions_->group(level, position);
            if (child.size() < whole.size()) {
                return child;
            }
        }
    }
    return {position, position + 1};
}

Group Groups::nodes() const {
    Group nodes{kNode, {0, size()}, 0};
    for (int level = kNumLevels; level-- > 0;) {
        if ((positions_->levels() >> level & 1u) != 0) {
            nodes = {level, starts_at(*positions_, level), 0};
            break;
        }
    }
    nodes.own = nodes.child_of(own_position_);
    return nodes;
}

bool shares_memory(const Shape& shape, int least) {
    return least > 0 && shape.max_children[kProcess] >= least;
}

bool has_several_nodes(const Shape& shape) {
    return std::any_of(shape.max_children.begin(), shape.max_children.begin() + kNode + 1,
                       [](int num) { return num > 0; });
}

}  // namespace hitopo::coll
