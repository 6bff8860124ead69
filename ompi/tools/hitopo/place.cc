// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/place.h"

#include <algorithm>

#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Where one rank lies: the values of the levels that it knows, outermost first.
struct Path {
    int rank = 0;
    std::vector<std::pair<Level, int>> steps;
};

bool is_shown(const TableDocument& table, Level level) {
    if (level == kL2Numa) {
        return std::any_of(table.ranks.begin(), table.ranks.end(),
                           [](const RankRow& row) { return row.address[kL2Numa] > 0; });
    }
    return level != kHwThread && table.levels[static_cast<std::size_t>(level)].known != Known::kNone;
}

std::vector<Level> shown_levels(const TableDocument& table) {
    std::vector<Level> levels;
    for (int i = 0; i < kNumLevels; ++i) {
        if (is_shown(table, static_cast<Level>(i))) {
            levels.push_back(static_cast<Level>(i));
        }
    }
    return levels;
}

std::vector<Path> sorted_paths(const TableDocument& table) {
    const std::vector<Level> levels = shown_levels(table);
    std::vector<Path> paths(table.ranks.size());
    for (std::size_t rank = 0; rank < paths.size(); ++rank) {
        paths[rank].rank = static_cast<int>(rank);
        for (const Level level : levels) {
            if (table.ranks[rank].address[level] >= 0) {
                paths[rank].steps.emplace_back(level, table.ranks[rank].address[level]);
            }
        }
    }
    std::stable_sort(paths.begin(), paths.end(),
                     [](const Path& a, const Path& b) { return a.steps < b.steps; });
    return paths;
}

using Paths = std::vector<Path>::const_iterator;

// The sorted paths [first, last) agree in their first `depth` steps: fills what lies there.
void fill(const TableDocument& table, Paths first, Paths last, std::size_t depth,
          std::vector<int>& own_ranks, std::vector<Place>& children) {
    for (; first != last && first->steps.size() == depth; ++first) {
        own_ranks.push_back(first->rank);
    }
    while (first != last) {
        const auto step = first->steps[depth];
        const Paths end =
            std::find_if(first, last, [&](const Path& path) { return path.steps[depth] != step; });
        const OptionalText& name = table.ranks[static_cast<std::size_t>(first->rank)].names[step.first];
        children.push_back(
            {step.first, step.second, name.value_or(std::to_string(step.second)), {}, {}});
        fill(table, first, end, depth + 1, children.back().own_ranks, children.back().children);
        first = end;
    }
}

void append_ranks(const Place& place, std::vector<int>& ranks) {
    ranks.insert(ranks.end(), place.own_ranks.begin(), place.own_ranks.end());
    for (const Place& child : place.children) {
        append_ranks(child, ranks);
    }
}

void count_below(const std::vector<Place>& places, std::array<std::size_t, kNumLevels>& counts) {
    for (const Place& place : places) {
        ++counts[place.level];
        count_below(place.children, counts);
    }
}

}  // namespace

PlaceTree make_places(const TableDocument& table) {
    const std::vector<Path> paths = sorted_paths(table);
    PlaceTree tree;
    fill(table, paths.begin(), paths.end(), 0, tree.own_ranks, tree.roots);
    return tree;
}

std::vector<int> all_ranks(const Place& place) {
    std::vector<int> ranks;
    append_ranks(place, ranks);
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

std::array<std::size_t, kNumLevels> count_places(const PlaceTree& tree) {
    std::array<std::size_t, kNumLevels> counts{};
    count_below(tree.roots, counts);
    return counts;
}

Level deepest_level(const PlaceTree& tree) {
    const std::array<std::size_t, kNumLevels> counts = count_places(tree);
    Level deepest = kCluster;
    for (int i = 0; i < kNumLevels; ++i) {
        deepest = counts[static_cast<std::size_t>(i)] > 0 ? static_cast<Level>(i) : deepest;
    }
    return deepest;
}

std::string_view looseness(Level level, Level deepest) {
    if (level < kNode || level >= deepest) {
        return {};
    }
    return level == kSocket ? "on several cores" : "unbound";
}

std::vector<std::string> job_counts(const TableDocument& table) {
    const std::array<std::size_t, kNumLevels> counts = count_places(make_places(table));
    std::vector<std::string> phrases = {counted(table.ranks.size(), "process")};
    for (const Level level : {kNode, kSwitch, kIsland}) {
        if (counts[level] > 0) {
            phrases.push_back(counted(counts[level], level_name(level)));
        }
    }
    if (counts[kCluster] > 1) {
        phrases.push_back(counted(counts[kCluster], "cluster"));
    }
    return phrases;
}

}  // namespace hitopo::tool
