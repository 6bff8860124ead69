// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of unequal load.
#include <fmt/format.h>

#include <algorithm>

#include "ompi/tools/hitopo/check/node_list.h"
#include "ompi/tools/hitopo/check/rules.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

bool has_unequal_threads(const Placement& placement) {
    return std::any_of(placement.processes.begin(), placement.processes.end(),
                       [&](const CheckedProcess& process) {
                           return process.threads != placement.processes[0].threads;
                       });
}

// A node's processes, and its CPUs; 1 where some node's are unknown.
struct Load {
    std::uint64_t processes = 0;
    std::uint64_t cpus = 1;
    friend bool operator<(const Load& a, const Load& b) {
        return a.processes * b.cpus < b.processes * a.cpus;
    }
};

Load load_of(const CheckedNode& node, bool has_cpus) {
    return {node.ranks.size(), has_cpus ? static_cast<std::uint64_t>(node.machine->cpus.count()) : 1};
}

// "4 processes on 3 nodes (n[1-3])", "4 processes for 8 CPUs on node n1".
std::string load_phrase(const Load& load, const Nodes& nodes, bool has_unequal_cpus,
                        const Placement& placement) {
    const std::string cpus = has_unequal_cpus ? " for " + counted(load.cpus, "CPU") : "";
    return fmt::format("{}{} on {}", counted(load.processes, "process"), cpus,
                       nodes_phrase(nodes, placement));
}

bool know_machines(const Placement& placement) {
    return std::all_of(placement.nodes.begin(), placement.nodes.end(), [](const CheckedNode& node) {
        return node.machine != nullptr && !node.machine->cpus.is_empty();
    });
}

}  // namespace

void find_load(const Placement& placement, std::vector<Finding>& found) {
    if (placement.nodes.size() < 2 || has_unequal_threads(placement)) {
        return;
    }
    const bool has_cpus = know_machines(placement);
    const auto load = [&](const CheckedNode& node) { return load_of(node, has_cpus); };
    const auto by_load = [&](const CheckedNode& a, const CheckedNode& b) { return load(a) < load(b); };
    const auto [least, most] =
        std::minmax_element(placement.nodes.begin(), placement.nodes.end(), by_load);
    Load low = load(*least);
    const Load high = load(*most);
    ++low.processes;  // would one more there still be less?
    if (!(low < high)) {
        return;
    }
    --low.processes;
    const auto like = [&](const Load& wanted) {
        return nodes_where(placement, [&](const CheckedNode& node) {
            return load(node).processes == wanted.processes && load(node).cpus == wanted.cpus;
        });
    };
    const bool has_unequal_cpus = std::any_of(
        placement.nodes.begin(), placement.nodes.end(),
        [&](const CheckedNode& node) { return load(node).cpus != load(placement.nodes[0]).cpus; });
    Nodes nodes = like(high);
    const Nodes low_nodes = like(low);
    const std::string text = load_phrase(high, nodes, has_unequal_cpus, placement) + ", " +
                             load_phrase(low, low_nodes, has_unequal_cpus, placement);
    nodes.insert(nodes.end(), low_nodes.begin(), low_nodes.end());
    std::sort(nodes.begin(), nodes.end());
    found.push_back({FindingKind::kLoad,
                     {},
                     nodes,
                     text,
                     "If all processes have equal work, balance the nodes: set slots in the host file, "
                     "or use --map-by node"});
}

}  // namespace hitopo::tool
