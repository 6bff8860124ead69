// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/fabric.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// Sorts by GUID and lets `join(kept, other)` merge each further entry of one GUID into the first.
template <class T, class Join>
void sort_by_guid(std::vector<T>& entries, Join join) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const T& a, const T& b) { return a.guid < b.guid; });
    std::size_t num_kept = 0;
    for (T& entry : entries) {
        if (num_kept > 0 && entries[num_kept - 1].guid == entry.guid) {
            join(entries[num_kept - 1], entry);
        } else if (T& place = entries[num_kept++]; &place != &entry) {
            place = std::move(entry);
        }
    }
    entries.resize(num_kept);
}

void join_switches(FabricSwitch& kept, const FabricSwitch& other) {
    kept.neighbours.insert(kept.neighbours.end(), other.neighbours.begin(), other.neighbours.end());
}

template <class T>
const T* find_guid(const std::vector<T>& sorted, std::uint64_t guid) {
    const auto found =
        std::lower_bound(sorted.begin(), sorted.end(), guid,
                         [](const T& entry, std::uint64_t wanted) { return entry.guid < wanted; });
    return found != sorted.end() && found->guid == guid ? &*found : nullptr;
}

std::string unique_name(const Fabric& fabric, std::uint64_t guid) {
    const FabricSwitch* found = fabric.find_switch(guid);
    const std::string description = found != nullptr ? found->description : "";
    const auto num_bearers =
        std::count_if(fabric.switches.begin(), fabric.switches.end(),
                      [&](const FabricSwitch& other) { return other.description == description; });
    return num_bearers == 1 ? description : "";
}

// The switches above each switch that has a host. A switch with hosts is above others only if it may be
// a spine: it has few hosts, and the leaf below it is linked to no other leaf, as in a mesh. An end is
// above no other: a switch without hosts, linked to one switch at most that is no end itself.
class Above {
public:
    explicit Above(const Fabric& fabric) : fabric_(fabric) {
        for (const FabricPort& port : fabric.ports) {
            ++num_hosts_[port.switch_guid];
        }
        for (bool is_found = true; is_found;) {
            is_found = false;
            for (const FabricSwitch& each : fabric.switches) {
                const bool is_end = num_hosts_.count(each.guid) == 0 && leading_of(each).size() <= 1;
                is_found = (is_end && ends_.insert(each.guid).second) || is_found;
            }
        }
        for (const auto& [guid, num_hosts] : num_hosts_) {
            if (!has_few_hosts(guid)) {
                leaves_.insert(guid);
            }
        }
    }

    std::vector<LeafSwitch> leaves() const {
        std::vector<LeafSwitch> all;
        for (const auto& [guid, num_hosts] : num_hosts_) {
            Guids above = neighbours_of(guid);
            const auto is_leaf = [this](std::uint64_t other) { return leaves_.count(other) != 0; };
            const auto has_hosts = [this](std::uint64_t other) { return hosts_of(other) > 0; };
            if (std::any_of(above.begin(), above.end(), is_leaf)) {
                above.erase(std::remove_if(above.begin(), above.end(), has_hosts), above.end());
            }
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

    Guids neighbours_of(std::uint64_t guid) const {
        const FabricSwitch* found = fabric_.find_switch(guid);
        return found != nullptr ? leading_of(*found) : Guids();
    }

    int hosts_of(std::uint64_t guid) const {
        const auto found = num_hosts_.find(guid);
        return found == num_hosts_.end() ? 0 : found->second;
    }

    // A management host or two at a spine; not one of two switches that are linked to each other only.
    bool has_few_hosts(std::uint64_t guid) const {
        const Guids neighbours = neighbours_of(guid);
        return neighbours.size() > 1 &&
               std::any_of(neighbours.begin(), neighbours.end(),
                           [&](std::uint64_t other) { return 2 * hosts_of(guid) <= hosts_of(other); });
    }

    const Fabric& fabric_;
    std::map<std::uint64_t, int> num_hosts_;  // of switches with hosts
    std::set<std::uint64_t> ends_, leaves_;   // leaves_: with more than a few
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

void Fabric::finish() {
    sort_by_guid(switches, join_switches);
    sort_by_guid(ports, [](const FabricPort&, const FabricPort&) {});
    for (FabricSwitch& one : switches) {
        one.neighbours = distinct(std::move(one.neighbours));
    }
}

const FabricSwitch* Fabric::find_switch(std::uint64_t guid) const { return find_guid(switches, guid); }
const FabricPort* Fabric::find_port(std::uint64_t guid) const { return find_guid(ports, guid); }

std::string guid_to_string(std::uint64_t guid) { return "0x" + to_hex(guid); }

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
