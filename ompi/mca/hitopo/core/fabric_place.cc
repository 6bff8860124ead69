// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/fabric_place.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/bytes.h"
#include "ompi/mca/hitopo/core/island_rule.h"

namespace hitopo {
namespace {

std::string visible_name(const Fabric& fabric, std::uint64_t guid) {
    const FabricSwitch* found = fabric.find_switch(guid);
    const std::string description = found != nullptr ? found->description : "";
    const auto has_it = [&](const FabricSwitch& other) { return other.description == description; };
    const bool is_unique = !description.empty() &&
                           std::count_if(fabric.switches.begin(), fabric.switches.end(), has_it) == 1;
    return is_unique ? description : guid_to_string(guid);
}

RawValue value_of(const std::string& visible, std::uint64_t subnet_prefix, std::uint64_t identity) {
    return RawValue({visible, Name::number(subnet_prefix), Name::number(identity), visible});
}

std::uint64_t hash_of_guids(const std::vector<std::uint64_t>& guids) {
    ByteWriter writer;
    for (const std::uint64_t guid : guids) {
        writer.put_u64(guid);
    }
    return hash_bytes(writer.bytes());
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
    const std::vector<Island> islands = derive_islands(leaves);
    return *std::find_if(islands.begin(), islands.end(), [&](const Island& island) {
        return std::binary_search(island.leaves.begin(), island.leaves.end(), leaf);
    });
}

}  // namespace

std::optional<FabricPlace> place_port(const Fabric& fabric, std::uint64_t port_guid,
                                      std::uint64_t subnet_prefix) {
    const FabricPort* port = fabric.find_port(port_guid);
    if (port == nullptr) {
        return std::nullopt;
    }
    const std::uint64_t leaf = port->switch_guid;
    const Island island = island_of(fabric, leaf);
    const std::uint64_t shown = island.l2_switches.empty() ? leaf : island.l2_switches.front();
    return FabricPlace{value_of(visible_name(fabric, leaf), subnet_prefix, leaf),
                       value_of(visible_name(fabric, shown), subnet_prefix,
                                island.l2_switches.empty() ? leaf : hash_of_guids(island.l2_switches))};
}

}  // namespace hitopo
