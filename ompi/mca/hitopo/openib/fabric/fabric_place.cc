// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/fabric_place.h"

#include <algorithm>
#include <iterator>
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

using Guids = std::vector<std::uint64_t>;

// For each switch with a host the switches above it. One with hosts is above no other, and neither is
// one that leads nowhere else: it has links to one switch, but for those that lead nowhere themselves.
class Above {
public:
    explicit Above(const Fabric& fabric) : fabric_(fabric) {
        for (const FabricPort& port : fabric.ports) {
            leaves_.insert(port.switch_guid);
        }
        for (bool is_found = true; is_found;) {
            is_found = false;
            for (const FabricSwitch& each : fabric.switches) {
                const bool is_end = leaves_.count(each.guid) == 0 && leading_of(each).size() <= 1;
                is_found = (is_end && ends_.insert(each.guid).second) || is_found;
            }
        }
    }

    std::vector<LeafSwitch> leaves() const {
        std::vector<LeafSwitch> all;
        for (const std::uint64_t guid : leaves_) {
            const FabricSwitch* found = fabric_.find_switch(guid);
            Guids above = found != nullptr ? leading_of(*found) : Guids();
            above.erase(
                std::remove_if(above.begin(), above.end(),
                               [this](std::uint64_t other) { return leaves_.count(other) != 0; }),
                above.end());
            all.push_back({guid, std::move(above)});
        }
        return all;
    }

private:
    // The switches that it has links to, without ends.
    Guids leading_of(const FabricSwitch& of) const {
        Guids leading;
        std::copy_if(of.neighbours.begin(), of.neighbours.end(), std::back_inserter(leading),
                     [this](std::uint64_t guid) { return ends_.count(guid) == 0; });
        return leading;
    }

    const Fabric& fabric_;
    std::set<std::uint64_t> leaves_, ends_;
};

// The island of a switch that has a host.
Island island_of(const Fabric& fabric, std::uint64_t leaf) {
    for (Island& island : derive_islands(Above(fabric).leaves())) {
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
