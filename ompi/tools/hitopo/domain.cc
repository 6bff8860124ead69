// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/domain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Where one rank lies: the values of the levels that it knows, outermost first.
struct Path {
    int rank = 0;
    std::vector<std::pair<Level, int>> steps;
};

// Levels that some process knows; l2numa where some node has two.
std::vector<Level> shown_levels(const TableDocument& table) {
    const bool has_l2numas = std::any_of(table.ranks.begin(), table.ranks.end(),
                                         [](const RankRow& row) { return row.address[kL2Numa] > 0; });
    std::vector<Level> levels;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode, kL2Numa, kSocket, kCore}) {
        if (level == kL2Numa ? has_l2numas : table.levels[level].known != Known::kNone) {
            levels.push_back(level);
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

// The sorted paths [first, last) agree in their first `depth` steps: fills that domain.
void fill(const TableDocument& table, Paths first, Paths last, std::size_t depth, Domain& domain) {
    for (; first != last && first->steps.size() == depth; ++first) {
        domain.own_ranks.push_back(first->rank);
    }
    while (first != last) {
        const auto step = first->steps[depth];
        const Paths end =
            std::find_if(first, last, [&](const Path& path) { return path.steps[depth] != step; });
        const OptionalText& name = table.ranks[static_cast<std::size_t>(first->rank)].names[step.first];
        domain.children.push_back(
            {step.first, step.second, name.value_or(std::to_string(step.second)), {}, {}});
        fill(table, first, end, depth + 1, domain.children.back());
        first = end;
    }
}

}  // namespace

Domain make_domains(const TableDocument& table) {
    const std::vector<Path> paths = sorted_paths(table);
    Domain job;
    fill(table, paths.begin(), paths.end(), 0, job);
    return job;
}

std::vector<int> all_ranks(const Domain& domain) {
    std::vector<int> ranks = domain.own_ranks;
    for (const Domain& child : domain.children) {
        const std::vector<int> inside = all_ranks(child);
        ranks.insert(ranks.end(), inside.begin(), inside.end());
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

std::array<std::size_t, kNumLevels> count_domains(const Domain& domain) {
    std::array<std::size_t, kNumLevels> counts{};
    for (const Domain& child : domain.children) {
        ++counts[child.level];
        const std::array<std::size_t, kNumLevels> inside = count_domains(child);
        std::transform(inside.begin(), inside.end(), counts.begin(), counts.begin(), std::plus<>());
    }
    return counts;
}

Level deepest_level(const Domain& domain, std::size_t max_domains) {
    const std::array<std::size_t, kNumLevels> counts = count_domains(domain);
    Level deepest = kCluster;
    for (std::size_t i = 0; i < kNumLevels && counts[i] <= max_domains; ++i) {
        deepest = counts[i] > 0 ? static_cast<Level>(i) : deepest;
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
    const std::array<std::size_t, kNumLevels> counts = count_domains(make_domains(table));
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

std::string heading(const TableDocument& table, Charset charset) {
    return fmt::format("{}: {}\n", safe(table.communicator, charset),
                       fmt::join(job_counts(table), ", "));
}

std::string warnings(const TableDocument& table, Charset charset) {
    std::string text;
    for (const std::string& warning : table.warnings) {
        text += fmt::format("warning: {}\n", safe(warning, charset));
    }
    return text;
}

std::string rank_cell(std::size_t rank, std::size_t num_ranks) {
    return pad_left(std::to_string(rank), std::max<std::size_t>(4, std::to_string(num_ranks).size()));
}

}  // namespace hitopo::tool
