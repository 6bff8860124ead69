// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/locality.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/table/resource_name.h"

namespace hitopo {
namespace {

// Innermost first.
const std::vector<std::string_view>& walk_of(Metric metric) {
    static const std::vector<std::string_view> compute = {
        "hwloc://PU",      "hwloc://Core",    "hwloc://L1Cache", "hwloc://L2Cache",
        "hwloc://L3Cache", "hwloc://L4Cache", "hwloc://L5Cache", "hwloc://Package"};
    static const std::vector<std::string_view> memory = {"hwloc://NUMANode", "hwloc://Package",
                                                         "hitopo://L2NUMA", "hwloc://Machine"};
    static const std::vector<std::string_view> network = {"hitopo://Node", "hitopo://Switch",
                                                          "hitopo://Island", "hitopo://Cluster"};
    return metric == Metric::kCompute ? compute : metric == Metric::kMemory ? memory : network;
}

Ranks members_of(const Domains& domains, std::int32_t domain) {
    Ranks ranks;
    for (std::uint32_t rank = 0; rank < domains.domain.size(); ++rank) {
        if (domains.domain[rank] == domain) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

}  // namespace

std::vector<std::string> hardware_levels(const Table& table) {
    std::vector<std::string> uris;
    for (const ResourceType& type : resource_types(table)) {
        const bool is_known_level =
            type.is_level && type.level <= kNode && table.known(type.level) != Table::Known::kNone;
        if (!type.is_level || is_known_level) {
            uris.push_back(type.uri());
        }
    }
    return uris;
}

std::string min_domain(const Table& table, const std::vector<std::uint32_t>& ranks) {
    const std::vector<ResourceType> types = nesting_types(table);
    const std::size_t deepest = deepest_type(types, [&](std::size_t type) {
        const Domains domains = domains_of(table, types[type]);
        const std::int32_t first = domains.domain[ranks[0]];
        return first >= 0 && std::all_of(ranks.begin(), ranks.end(), [&](std::uint32_t rank) {
                   return domains.domain[rank] == first;
               });
    });
    return deepest < types.size() ? types[deepest].uri() : "";
}

Ranks neighbours(const Table& table, std::uint32_t rank, int hops, Metric metric) {
    const std::vector<ResourceType> types = resource_types(table);
    Ranks reached = {rank};
    for (const std::string_view uri : walk_of(metric)) {
        const std::optional<std::size_t> type = find_resource(types, uri);
        if (hops <= 0 || !type) {
            continue;
        }
        const Domains domains = domains_of(table, types[*type]);
        if (domains.domain[rank] >= 0) {
            reached = members_of(domains, domains.domain[rank]);
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

std::vector<Restriction> restrictions(const Table& table, std::uint32_t rank,
                                      const std::optional<CpuSet>& present) {
    const NodeInfo node = table.node(rank);
    const Pattern& pattern = table.pattern(rank);
    const Machine* machine =
        node.machine < 0 ? nullptr
                         : &table.dictionary().machines()[static_cast<std::size_t>(node.machine)];
    const Placement placement =
        present && machine != nullptr ? place(*machine, *present) : pattern.placement;
    std::vector<Restriction> all = no_restrictions();
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const Placement& told = !pattern.names[level].empty() ? pattern.placement : placement;
        all[static_cast<std::size_t>(i)].is_restricted = level < kNode    ? node.values[level] >= 0
                                                         : level == kNode ? true
                                                                          : told[level] >= 0;
    }
    for (std::size_t i = 0; machine != nullptr && i < machine->types().size(); ++i) {
        const std::string& name = machine->types()[i].name;
        if (name != level_type(kL2Numa)) {
            const bool is_restricted = i < placement.instances.size() && placement.instances[i] >= 0;
            all.push_back({ResourceType{name}.uri(), is_restricted});
        }
    }
    const std::vector<std::string>& side_types = table.dictionary().side_types();
    for (std::size_t type = 0; type < side_types.size(); ++type) {
        all.push_back(
            {side_types[type], table.side_of(table.node_number(rank), pattern.cohort, type) >= 0});
    }
    return all;
}

}  // namespace hitopo
