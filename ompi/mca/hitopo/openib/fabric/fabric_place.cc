// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/fabric_place.h"

#include <algorithm>
#include <set>

#include "ompi/mca/hitopo/core/network/island_rule.h"

namespace hitopo {
namespace {

std::string unique_name(const Fabric& fabric, std::uint64_t guid) {
    const FabricSwitch* found = fabric.find_switch(guid);
    const std::string description = found != nullptr ? found->description : "";
    const auto num_bearers =
        std::count_if(fabric.switches.begin(), fabric.switches.end(),
                      [&](const FabricSwitch& other) { return other.description == description; });
    return num_bearers == 1 ? description : "";
}

// The island of a switch that has a host.
Island island_of(const Fabric& fabric, std::uint64_t leaf) {
    std::set<std::uint64_t> with_hosts;
    for (const FabricPort& port : fabric.ports) {
        with_hosts.insert(port.switch_guid);
    }
    std::vector<LeafSwitch> leaves;
    for (const std::uint64_t guid : with_hosts) {
        const FabricSwitch* found = fabric.find_switch(guid);
        leaves.push_back({guid, found != nullptr ? found->neighbours : std::vector<std::uint64_t>()});
    }
    for (Island& island : derive_islands(leaves)) {
        if (std::binary_search(island.leaves.begin(), island.leaves.end(), leaf)) {
            return std::move(island);
        }
    }
    return {};
}

}  // namespace

RawValue leaf_value(std::uint64_t subnet_prefix, std::uint64_t guid) {
    return RawValue({guid_to_string(subnet_prefix), guid_to_string(guid)});
}

LeafUplinks uplinks_of(const Fabric& fabric, std::uint64_t leaf) {
    LeafUplinks uplinks = {unique_name(fabric, leaf), island_of(fabric, leaf).l2_switches, ""};
    if (!uplinks.l2_switches.empty()) {
        uplinks.first_name = unique_name(fabric, uplinks.l2_switches.front());
    }
    return uplinks;
}

}  // namespace hitopo
