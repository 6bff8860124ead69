// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rules about nodes: levels that only some know, unequal load, their order in the fabric; and facts that
// rules lack.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Nodes = std::vector<std::size_t>;  // ascending indices

template <class Is>
Nodes nodes_where(const CheckedJob& job, Is is) {
    Nodes nodes;
    for (std::size_t node = 0; node < job.nodes.size(); ++node) {
        if (is(job.nodes[node])) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

// Those of some ranks, ascending.
Nodes nodes_of(const std::vector<int>& ranks, const CheckedJob& job) {
    Nodes nodes;
    for (const int rank : ranks) {
        nodes.push_back(job.process(rank).node);
    }
    return distinct(std::move(nodes));
}

}  // namespace

void find_required(const TableDocument& table, const CheckedJob& job,
                   const std::vector<RequiredLevel>& required, std::vector<Finding>& found) {
    for (const auto& [level, component] : required) {
        const LevelSummary& summary = table.levels[static_cast<std::size_t>(level)];
        std::vector<int> unknown, all;
        for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
            const bool is_known = summary.known != Known::kNone &&
                                  table.ranks[rank].address[static_cast<std::size_t>(level)] >= 0;
            all.push_back(static_cast<int>(rank));
            if (!is_known) {
                unknown.push_back(static_cast<int>(rank));
            }
        }
        const std::string name(level_name(level));
        const bool is_from_others =
            !component.empty() && summary.components != std::vector<std::string>{component};
        if (!unknown.empty()) {
            const Nodes nodes = nodes_of(unknown, job);
            found.push_back(
                {FindingKind::kRequired, unknown, nodes,
                 fmt::format("{} is required, but unknown on {}", name, nodes_phrase(nodes, job)),
                 "`hitopo show --why` prints what each component found there"});
        } else if (is_from_others) {
            found.push_back({FindingKind::kRequired, all, nodes_of(all, job),
                             fmt::format("{} is required from {}, but comes from {}", name, component,
                                         fmt::join(summary.components, ", ")),
                             fmt::format("`hitopo show --why` prints what {} found; "
                                         "--mca hitopo_base_level_{} {} prefers it",
                                         component, name, component)});
        }
    }
}

void find_levels(const CheckedJob& job, std::vector<Finding>& found) {
    // The levels that nodes do not know, by the nodes.
    std::map<Nodes, std::vector<std::string>> unknown;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        if (job.known[level] == Known::kSome) {
            unknown[nodes_where(job, [&](const CheckedNode& node) { return node.address[level] < 0; })]
                .emplace_back(level_name(level));
        }
    }
    unknown[nodes_where(job, [](const CheckedNode& node) { return !node.knows_inside; })].emplace_back(
        "socket and core");
    for (const auto& [nodes, levels] : unknown) {
        if (nodes.empty() || nodes.size() == job.nodes.size()) {
            continue;
        }
        std::vector<int> ranks;
        for (const std::size_t node : nodes) {
            const std::vector<int>& on_node = job.nodes[node].ranks;
            ranks.insert(ranks.end(), on_node.begin(), on_node.end());
        }
        std::sort(ranks.begin(), ranks.end());
        const bool is_one = levels.size() == 1 && levels.front().find(' ') == std::string::npos;
        found.push_back({FindingKind::kLevel, ranks, nodes,
                         fmt::format("{} {} unknown on {}, but known on {}", fmt::join(levels, ", "),
                                     is_one ? "is" : "are", nodes_phrase(nodes, job),
                                     counted(job.nodes.size() - nodes.size(), "other node")),
                         "`hitopo show --why` prints the results of the components there"});
    }
}

void find_no_switch(const CheckedJob& job, std::vector<Finding>& found) {
    if (job.nodes.size() > 1 && job.known[kSwitch] == Known::kNone) {
        found.push_back(
            {FindingKind::kNoSwitch,
             {},
             nodes_where(job, [](const CheckedNode&) { return true; }),
             "no node knows its switch, so neither orders nor collectives go by switches",
             "`hitopo show --why` prints the reasons, and docs/levels.md the ways to set it, such as "
             "a map (hitopo_file_path)"});
    }
}

void find_load(const CheckedJob& job, std::vector<Finding>& found) {
    const bool has_unequal_threads = std::any_of(
        job.processes.begin(), job.processes.end(),
        [&](const CheckedProcess& process) { return process.threads != job.processes[0].threads; });
    if (job.nodes.size() < 2 || has_unequal_threads) {
        return;
    }
    const bool has_cpus = std::all_of(job.nodes.begin(), job.nodes.end(), [](const CheckedNode& node) {
        return node.machine != nullptr && !node.machine->cpus.is_empty();
    });
    // A node's processes, and its CPUs; 1 where some node's are unknown.
    using Load = std::pair<std::size_t, std::size_t>;
    const auto load = [&](const CheckedNode& node) {
        return Load(node.ranks.size(),
                    has_cpus ? static_cast<std::size_t>(node.machine->cpus.count()) : 1);
    };
    const auto is_less = [](const Load& a, const Load& b) {
        return a.first * b.second < b.first * a.second;
    };
    const auto [least, most] = std::minmax_element(
        job.nodes.begin(), job.nodes.end(),
        [&](const CheckedNode& a, const CheckedNode& b) { return is_less(load(a), load(b)); });
    const Load low = load(*least), high = load(*most);
    if (!is_less({low.first + 1, low.second}, high)) {
        return;  // one more there would not be less
    }
    const bool has_unequal_cpus =
        std::any_of(job.nodes.begin(), job.nodes.end(),
                    [&](const CheckedNode& node) { return load(node).second != high.second; });
    // "4 processes on 3 nodes (n[1-3])", "4 processes for 8 CPUs on node n1".
    const auto phrase = [&](const Load& wanted) {
        const Nodes nodes =
            nodes_where(job, [&](const CheckedNode& node) { return load(node) == wanted; });
        return fmt::format("{}{} on {}", counted(wanted.first, "process"),
                           has_unequal_cpus ? " for " + counted(wanted.second, "CPU") : "",
                           nodes_phrase(nodes, job));
    };
    found.push_back(
        {FindingKind::kLoad,
         {},
         nodes_where(job,
                     [&](const CheckedNode& node) { return load(node) == low || load(node) == high; }),
         phrase(high) + ", " + phrase(low),
         "If all processes have equal work, balance the nodes: set slots in the host file, "
         "or use --map-by node"});
}

void find_order(const CheckedJob& job, std::vector<Finding>& found) {
    const Nodes all = nodes_where(job, [](const CheckedNode&) { return true; });
    Nodes by_rank = all;
    std::sort(by_rank.begin(), by_rank.end(), [&](std::size_t a, std::size_t b) {
        return job.nodes[a].ranks.front() < job.nodes[b].ranks.front();
    });
    std::vector<std::string> changes;
    bool is_out_of_order = false;
    for (const Level level : {kSwitch, kIsland, kCluster}) {
        if (job.known[level] != Known::kAll) {
            continue;
        }
        // The moves to another place, from node to node by rank, and the least number of these.
        using Path = std::vector<int>;  // of a level and those outside of it
        std::set<Path> places;
        Path before;
        std::size_t num_changes = 0;
        for (const std::size_t node : by_rank) {
            const auto& address = job.nodes[node].address;
            Path place(address.begin(), address.begin() + level + 1);
            num_changes += !before.empty() && place != before ? 1 : 0;
            places.insert(place);
            before = std::move(place);
        }
        is_out_of_order |= num_changes > 0 && num_changes + 1 > places.size();
        if (num_changes > 0) {
            changes.push_back(fmt::format("{} {} times where {} would do", level_name(level),
                                          num_changes, places.size() - 1));
        }
    }
    if (is_out_of_order) {
        found.push_back(
            {FindingKind::kOrder,
             {},
             all,
             fmt::format("from node to node, ranks change {}", fmt::join(changes, ", ")),
             "Sort the hosts: start `hitopo show --format json --output table.json` as this job, then "
             "`hitopo order --hosts --table table.json --format hostfile --output hosts`, and launch "
             "with "
             "mpirun --hostfile hosts --map-by seq (srun: --format slurm)"});
    }
}

std::vector<std::string> find_unchecked(const CheckedJob& job) {
    std::vector<std::string> lines;
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < job.processes.size(); ++rank) {
        if (job.processes[rank].cpus == nullptr) {
            ranks.push_back(static_cast<int>(rank));
        }
    }
    if (!ranks.empty()) {
        lines.push_back(fmt::format("bindings of {}: their CPUs are unknown", ranks_phrase(ranks)));
    }
    const Nodes nodes =
        nodes_where(job, [](const CheckedNode& node) { return node.machine == nullptr; });
    if (!nodes.empty()) {
        lines.push_back(fmt::format("cores and sockets of {}: no component knows the machine",
                                    nodes_phrase(nodes, job)));
    }
    return lines;
}

}  // namespace hitopo::tool
