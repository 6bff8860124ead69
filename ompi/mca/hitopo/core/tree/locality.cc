// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/locality.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/resource_type.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

// A level of compute and memory beside its machine's type counts where it is explicit.
const std::vector<std::string_view>& walk_of(Metric metric) {
    static const std::vector<std::string_view> compute = {
        "hwloc://PU",      "hitopo://HWThread", "hwloc://Core",    "hitopo://Core",
        "hwloc://L1Cache", "hwloc://L2Cache",   "hwloc://L3Cache", "hwloc://L4Cache",
        "hwloc://L5Cache", "hwloc://Package",   "hitopo://Socket"};
    static const std::vector<std::string_view> memory = {
        "hwloc://NUMANode", "hwloc://Package", "hitopo://Socket", "hitopo://L2NUMA", "hwloc://Machine"};
    static const std::vector<std::string_view> network = {"hitopo://Node", "hitopo://Switch",
                                                          "hitopo://Island", "hitopo://Cluster"};
    return metric == Metric::kCompute ? compute : metric == Metric::kMemory ? memory : network;
}

const PlaceInNode& place_of(const AddressTree& tree, std::uint32_t rank) {
    return tree.place(tree.at(rank).seat);
}

// Whether a level repeats a type of the place's machine; L2NUMA repeats none.
bool repeats_machine(const ResourceType& type, const PlaceInNode& place) {
    return type.is_level && type.level > kL2Numa && place.names[type.level].empty();
}

}  // namespace

std::vector<std::string> hardware_levels(const AddressTree& tree) {
    std::vector<std::string> uris;
    for (const ResourceType& type : resource_types(tree)) {
        const bool is_listed =
            !type.is_level || (type.is_network() ? tree.known(type.level) != AddressTree::Known::kNone
                                                 : tree.facts().is_explicit(type.level));
        if (is_listed) {
            uris.push_back(type.uri());
        }
    }
    return uris;
}

Ranks neighbours(const AddressTree& tree, std::uint32_t rank, int hops, Metric metric) {
    using Size = std::tuple<std::size_t, int, std::ptrdiff_t>;  // processes, CPUs, inner types first
    const std::vector<ResourceType> types = resource_types(tree);
    const PlaceInNode& place = place_of(tree, rank);
    std::vector<std::pair<Size, Ranks>> domains;
    for (const std::string_view uri : walk_of(metric)) {
        const std::optional<std::size_t> type = find_resource(types, uri);
        if (hops > 0 && type && !repeats_machine(types[*type], place)) {
            Ranks ranks = Partition::by_type(tree, types[*type]).members(rank);
            const Size size = {ranks.size(), num_cpus(tree.facts(), types[*type], place),
                               -static_cast<std::ptrdiff_t>(*type)};
            domains.emplace_back(size, std::move(ranks));
        }
    }
    std::sort(domains.begin(), domains.end());
    Ranks reached = {rank};
    for (auto& [size, ranks] : domains) {
        if (hops > 0 && std::includes(ranks.begin(), ranks.end(), reached.begin(), reached.end())) {
            reached = std::move(ranks);
            --hops;
        }
    }
    return reached;
}

std::vector<Restriction> no_restrictions() {
    std::vector<Restriction> all;
    all.reserve(kNumLevels);
    for (int level = 0; level < kNumLevels; ++level) {
        all.push_back({"hitopo://" + std::string(level_type(static_cast<Level>(level))), false});
    }
    return all;
}

namespace {

// present: where the process lies in its node's machine now; explicit values stay.
bool is_restricted(const AddressTree& tree, std::uint32_t rank, const ResourceType& type,
                   const InstanceNumbers& present) {
    const AddressTree::At at = tree.at(rank);
    const PlaceInNode& place = tree.place(at.seat);
    if (type.crosses_nodes()) {
        const std::uint32_t sides = tree.sharing(at.node, at.seat).sides;
        return tree.facts().side_sets[sides][static_cast<std::size_t>(type.side)] >= 0;
    }
    if (type.is_network()) {
        return tree.known(type.level) != AddressTree::Known::kNone &&
               tree.network_number(at.node, type.level) >= 0;
    }
    const bool is_explicit = type.is_level && !place.names[type.level].empty();
    return instance_of(type, index_in_machine(tree.facts(), place.machine, type),
                       is_explicit ? place.instance_numbers : present) >= 0;
}

}  // namespace

std::vector<Restriction> restrictions(const AddressTree& tree, std::uint32_t rank,
                                      const std::optional<CpuSet>& present) {
    const PlaceInNode& place = place_of(tree, rank);
    const Machine* machine =
        place.machine < 0 ? nullptr : &tree.facts().machines[static_cast<std::size_t>(place.machine)];
    const InstanceNumbers instance_numbers =
        present && machine != nullptr ? hitopo::place(*machine, *present) : place.instance_numbers;
    std::vector<Restriction> all;
    for (const ResourceType& type : resource_types(tree)) {
        const bool is_of_machine = !type.is_level && !type.crosses_nodes();
        if (!is_of_machine || (machine != nullptr && machine->find(type.name) != nullptr)) {
            all.push_back({type.uri(), is_restricted(tree, rank, type, instance_numbers)});
        }
    }
    return all;
}

}  // namespace hitopo
