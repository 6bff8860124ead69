// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Levels that only some nodes know, and what no rule can look at.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ompi/tools/hitopo/check/node_list.h"
#include "ompi/tools/hitopo/check/rules.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

std::vector<int> ranks_on(const Nodes& nodes, const Placement& placement) {
    std::vector<int> ranks;
    for (const std::size_t node : nodes) {
        const std::vector<int>& on_node = placement.nodes[node].ranks;
        ranks.insert(ranks.end(), on_node.begin(), on_node.end());
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

// Which levels the nodes do not know, by the nodes.
std::map<Nodes, std::vector<std::string>> unknown_levels(const Placement& placement) {
    std::map<Nodes, std::vector<std::string>> levels;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        if (placement.known[level] == Known::kSome) {
            const auto unknown = [&](const CheckedNode& node) { return node.address[level] < 0; };
            levels[nodes_where(placement, unknown)].emplace_back(level_name(level));
        }
    }
    levels[nodes_where(placement, [](const CheckedNode& node) { return !node.knows_inside; })]
        .emplace_back("socket and core");
    return levels;
}

}  // namespace

void find_levels(const Placement& placement, std::vector<Finding>& found) {
    for (const auto& [nodes, levels] : unknown_levels(placement)) {
        if (nodes.empty() || nodes.size() == placement.nodes.size()) {
            continue;
        }
        const bool is_one = levels.size() == 1 && levels.front().find(' ') == std::string::npos;
        found.push_back({FindingKind::kLevel, ranks_on(nodes, placement), nodes,
                         fmt::format("{} {} unknown on {}, but known on {}", fmt::join(levels, ", "),
                                     is_one ? "is" : "are", nodes_phrase(nodes, placement),
                                     counted(placement.nodes.size() - nodes.size(), "other")),
                         "`hitopo show --why` prints the results of the components there"});
    }
}

std::vector<std::string> find_unchecked(const Placement& placement) {
    std::vector<std::string> lines;
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < placement.processes.size(); ++rank) {
        if (placement.processes[rank].cpus == nullptr) {
            ranks.push_back(static_cast<int>(rank));
        }
    }
    if (!ranks.empty()) {
        lines.push_back(fmt::format("bindings of {}: their CPUs are unknown", ranks_phrase(ranks)));
    }
    const Nodes nodes =
        nodes_where(placement, [](const CheckedNode& node) { return node.machine == nullptr; });
    if (!nodes.empty()) {
        lines.push_back(fmt::format("cores and sockets of {}: no component knows the machine",
                                    nodes_phrase(nodes, placement)));
    }
    const bool knows_network = placement.known[kSwitch] != Known::kNone ||
                               placement.known[kIsland] != Known::kNone ||
                               placement.known[kCluster] != Known::kNone;
    if (placement.nodes.size() > 1 && !knows_network) {
        lines.emplace_back("the order of nodes in the fabric: no level outside the node is known");
    }
    return lines;
}

}  // namespace hitopo::tool
