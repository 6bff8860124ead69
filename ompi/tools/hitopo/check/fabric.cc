// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's nodes in the fabric: their order, and the number of their switches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ompi/tools/hitopo/check/node_list.h"
#include "ompi/tools/hitopo/check/rules.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// The distinct numbers of nodes at a level, outer levels first: places of the network.
using NetworkPlace = std::array<int, kNode>;

NetworkPlace place_of(const CheckedNode& node, Level level) {
    NetworkPlace place{};
    std::copy_n(node.address.begin(), static_cast<std::size_t>(level) + 1, place.begin());
    return place;
}

// By their lowest rank.
Nodes in_rank_order(const Placement& placement) {
    Nodes nodes = all_nodes(placement);
    std::sort(nodes.begin(), nodes.end(), [&](std::size_t a, std::size_t b) {
        return placement.nodes[a].ranks.front() < placement.nodes[b].ranks.front();
    });
    return nodes;
}

// How often the next node in the order of ranks is in another place, and how often it has to be.
struct Crossings {
    std::size_t now = 0;
    std::size_t sorted = 0;
};

Crossings crossings(const Placement& placement, const Nodes& nodes, Level level) {
    Crossings crossings;
    std::set<NetworkPlace> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NetworkPlace place = place_of(placement.nodes[nodes[i]], level);
        places.insert(place);
        crossings.now += i > 0 && place != place_of(placement.nodes[nodes[i - 1]], level) ? 1 : 0;
    }
    crossings.sorted = places.size() - 1;
    return crossings;
}

}  // namespace

void find_order(const Placement& placement, std::vector<Finding>& found) {
    const Nodes nodes = in_rank_order(placement);
    std::vector<std::string> now;
    std::vector<std::string> sorted;
    bool is_out_of_order = false;
    for (const Level level : {kSwitch, kIsland, kCluster}) {
        if (placement.known[level] != Known::kAll) {
            continue;
        }
        const Crossings count = crossings(placement, nodes, level);
        is_out_of_order |= count.now > count.sorted;
        if (count.now > 0) {
            now.push_back(fmt::format("{} leave their {}", count.now, level_name(level)));
            sorted.push_back(std::to_string(count.sorted));
        }
    }
    if (is_out_of_order) {
        found.push_back(
            {FindingKind::kOrder,
             {},
             all_nodes(placement),
             fmt::format("of {} steps from node to node in rank order, {}; in fabric order {}",
                         placement.nodes.size() - 1, fmt::join(now, ", "), fmt::join(sorted, ", ")),
             "`hitopo order --hosts` writes the hosts in fabric order"});
    }
}

void find_switches(const Placement& placement, std::vector<Finding>& found) {
    if (placement.known[kSwitch] != Known::kAll) {
        return;
    }
    std::map<NetworkPlace, Nodes> switches;
    std::size_t most = 0;
    for (std::size_t node = 0; node < placement.nodes.size(); ++node) {
        Nodes& nodes = switches[place_of(placement.nodes[node], kSwitch)];
        nodes.push_back(node);
        most = std::max(most, nodes.size());
    }
    const std::size_t enough = (placement.nodes.size() + most - 1) / most;
    if (switches.size() <= enough) {
        return;
    }
    found.push_back(
        {FindingKind::kSwitches,
         {},
         all_nodes(placement),
         fmt::format(
             "{} on {}, of which one has {}: if the others have as much room, {} would be enough",
             counted(placement.nodes.size(), "node"), counted(switches.size(), "switch"), most, enough),
         fmt::format("Request fewer switches, with Slurm's option --switches={}", enough)});
}

}  // namespace hitopo::tool
