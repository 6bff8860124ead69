// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_types.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace split_oracle {
namespace {

// The order where inclusion does not tell; a Group of any depth stands for "Group".
const std::vector<std::string> kCatalogue = {
    "hitopo://Cluster", "hitopo://Island",  "hitopo://Switch",   "hitopo://Node",    "hwloc://Machine",
    "hitopo://L2NUMA",  "hwloc://Group",    "hwloc://Package",   "hitopo://Socket",  "hwloc://Die",
    "hwloc://NUMANode", "hwloc://L5Cache",  "hwloc://L4Cache",   "hwloc://L3Cache",  "hwloc://L3iCache",
    "hwloc://L2Cache",  "hwloc://L2iCache", "hwloc://L1Cache",   "hwloc://L1iCache", "hwloc://Core",
    "hitopo://Core",    "hwloc://PU",       "hitopo://HWThread", "gpu://Nearest",    "nic://Nearest"};

const std::string kGroup = "hwloc://Group";

// (place, depth of a Group): compares as the catalogue orders.
std::pair<std::ptrdiff_t, std::string> place_of(const std::string& uri) {
    const std::string known = uri.rfind(kGroup, 0) == 0 ? kGroup : uri;
    const auto found = std::find(kCatalogue.begin(), kCatalogue.end(), known);
    if (found == kCatalogue.end()) {
        throw std::runtime_error("the oracle's catalogue lacks " + uri);
    }
    return {found - kCatalogue.begin(), uri};
}

bool is_level(const std::string& uri) { return !is_of_machine(uri) && !is_side(uri); }
bool is_outside_nodes(const std::string& uri) { return place_of(uri) <= place_of("hitopo://Node"); }

bool contains(const std::vector<Cpus>& outer, const std::vector<Cpus>& inner) {
    return std::any_of(inner.begin(), inner.end(), [&](const Cpus& cpus) {
        const Cpus* around = only_one_around(outer, cpus);
        return around != nullptr && !around->equals(cpus);
    });
}

bool contains(const std::string& outer, const std::string& inner,
              const std::vector<const Machine*>& machines) {
    if (is_level(outer) && (is_level(inner) || is_outside_nodes(outer))) {
        return place_of(outer) < place_of(inner);
    }
    return std::any_of(machines.begin(), machines.end(), [&](const Machine* machine) {
        return contains(sets_of(outer, *machine), sets_of(inner, *machine));
    });
}

using Below = std::map<std::string, std::set<std::string>>;  // by type: what it contains

// Adds what is contained by way of others.
void follow(const std::string& uri, const Below& direct, std::set<std::string>& reached) {
    for (const std::string& inner : direct.at(uri)) {
        if (reached.insert(inner).second) {
            follow(inner, direct, reached);
        }
    }
}

Below containment_of(const std::vector<std::string>& uris, const std::vector<const Machine*>& machines) {
    Below direct;
    for (const std::string& outer : uris) {
        for (const std::string& inner : uris) {
            if (outer != inner && contains(outer, inner, machines)) {
                direct[outer].insert(inner);
            }
        }
        direct[outer];
    }
    Below all;
    for (const std::string& uri : uris) {
        follow(uri, direct, all[uri]);
    }
    return all;
}

}  // namespace

const std::vector<std::string>& level_types() {
    static const std::vector<std::string> levels = [] {
        std::vector<std::string> uris;
        std::copy_if(kCatalogue.begin(), kCatalogue.end(), std::back_inserter(uris), is_level);
        return uris;
    }();
    return levels;
}

bool is_of_machine(const std::string& uri) { return uri.rfind("hwloc://", 0) == 0; }
bool is_side(const std::string& uri) { return uri.find("://Nearest") != std::string::npos; }

std::vector<Cpus> sets_of(const std::string& uri, const Machine& machine) {
    const std::map<std::string, std::string> twins = {
        {"hitopo://Socket", "Package"}, {"hitopo://Core", "Core"}, {"hitopo://HWThread", "PU"}};
    if (uri == "hitopo://L2NUMA") {
        return machine.boards;
    }
    const auto twin = twins.find(uri);
    return machine.instances(twin != twins.end() ? twin->second
                             : is_side(uri)      ? uri
                                                 : uri.substr(uri.find("://") + 3));
}

const Cpus* only_one_around(const std::vector<Cpus>& sets, const Cpus& cpus) {
    const Cpus* found = nullptr;
    for (const Cpus& set : sets) {
        if (cpus.lies_in(set)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &set;
        }
    }
    return found;
}

// Takes one after the other, each time the first that lies in no other one that is left.
std::vector<std::string> outermost_first(std::vector<std::string> uris,
                                         const std::vector<const Machine*>& machines) {
    std::sort(uris.begin(), uris.end(),
              [](const std::string& a, const std::string& b) { return place_of(a) < place_of(b); });
    const Below below = containment_of(uris, machines);
    const auto lies_in = [&](const std::string& inner, const std::string& outer) {
        return below.at(outer).count(inner) > 0 && below.at(inner).count(outer) == 0;
    };
    std::vector<std::string> ordered;
    while (!uris.empty()) {
        const auto next = std::find_if(uris.begin(), uris.end(), [&](const std::string& uri) {
            return std::none_of(uris.begin(), uris.end(),
                                [&](const std::string& other) { return lies_in(uri, other); });
        });
        ordered.push_back(*next);
        uris.erase(next);
    }
    return ordered;
}

}  // namespace split_oracle
