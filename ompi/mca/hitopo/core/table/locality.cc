// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/locality.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ompi/mca/hitopo/core/table/type_order.h"
#include "ompi/mca/hitopo/core/tree/resource_name.h"

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

// Beside its machine's type; L2NUMA has none.
bool repeats_machine(const Table& table, std::uint32_t rank, const ResourceType& type) {
    return type.is_level && type.level > kL2Numa && table.pattern(rank).names[type.level].empty();
}

// The domain of one type that a process is in.
struct Around {
    std::size_t type;                  // index into the table's types
    std::vector<std::int32_t> domain;  // by rank
    std::int32_t own;                  // of them; -1: none
    DomainSize size;                   // as of measure()

    bool holds(const Ranks& ranks) const {
        return own >= 0 && std::all_of(ranks.begin(), ranks.end(),
                                       [this](std::uint32_t rank) { return domain[rank] == own; });
    }
    Ranks members() const {
        Ranks ranks;
        for (std::uint32_t rank = 0; rank < domain.size(); ++rank) {
            if (domain[rank] == own) {
                ranks.push_back(rank);
            }
        }
        return ranks;
    }
};

Around domain_around(const Table& table, std::uint32_t rank, const std::vector<ResourceType>& types,
                     std::size_t type) {
    Around around = {type, domains_of(table, types[type]).domain, -1, {}};
    around.own = around.domain[rank];
    return around;
}

DomainSize measure(const Table& table, std::uint32_t rank, const ResourceType& type,
                   const Around& around) {
    const auto num = std::count(around.domain.begin(), around.domain.end(), around.own);
    const int num_cpus =
        type.is_inside_node()
            ? SeatInstances(table, type)
                  .num_cpus(table.node(rank).machine, table.layouts().seats()[table.seat_number(rank)])
            : SeatInstances::kUnknownCpus;
    return {static_cast<std::size_t>(num), num_cpus};
}

bool is_smaller(const Around& a, const Around& b) {
    return std::make_tuple(a.size.num_processes, a.size.num_cpus, b.type) <
           std::make_tuple(b.size.num_processes, b.size.num_cpus, a.type);
}

}  // namespace

std::vector<std::string> hardware_levels(const Table& table) {
    std::vector<ResourceType> types = resource_types(table);
    put_outer_first(table, types);
    std::vector<std::string> uris;
    for (const ResourceType& type : types) {
        const bool is_listed =
            !type.is_level || (type.level <= kNode ? table.known(type.level) != Table::Known::kNone
                                                   : is_explicit(table.dictionary(), type.level));
        if (is_listed) {
            uris.push_back(type.uri());
        }
    }
    return uris;
}

std::string min_domain(const Table& table, const Ranks& ranks) {
    const std::vector<ResourceType> types = nesting_types(table);
    const std::size_t deepest =
        deepest_type(types.size(), [&](std::size_t type) -> std::optional<DomainSize> {
            const Around around = domain_around(table, ranks[0], types, type);
            return around.holds(ranks) ? std::optional(measure(table, ranks[0], types[type], around))
                                       : std::nullopt;
        });
    return deepest < types.size() ? types[deepest].uri() : "";
}

Ranks neighbours(const Table& table, std::uint32_t rank, int hops, Metric metric) {
    const std::vector<ResourceType> types = resource_types(table);
    std::vector<Around> domains;
    for (const std::string_view uri : walk_of(metric)) {
        const std::optional<std::size_t> type = find_resource(types, uri);
        if (hops > 0 && type && !repeats_machine(table, rank, types[*type])) {
            Around around = domain_around(table, rank, types, *type);
            if (around.own >= 0) {
                around.size = measure(table, rank, types[*type], around);
                domains.push_back(std::move(around));
            }
        }
    }
    std::sort(domains.begin(), domains.end(), is_smaller);
    Ranks reached = {rank};
    for (const Around& around : domains) {
        if (hops > 0 && around.holds(reached)) {
            reached = around.members();
            --hops;
        }
    }
    return reached;
}

namespace {

// present: where the process lies in its node's machine now; what was told of it stays.
bool is_restricted(const Table& table, std::uint32_t rank, const ResourceType& type,
                   const Placement& present) {
    const NodeInfo node = table.node(rank);
    const Pattern& pattern = table.pattern(rank);
    if (type.crosses_nodes()) {
        const auto side = static_cast<std::size_t>(type.side);
        return table.side_of(table.node_number(rank), pattern.cohort, side) >= 0;
    }
    if (!type.is_inside_node()) {
        return type.level == kNode || node.values[type.level] >= 0;
    }
    const bool is_told = type.is_level && !pattern.names[type.level].empty();
    return SeatInstances(table, type).instance_of(node.machine, is_told ? pattern.placement : present) >=
           0;
}

}  // namespace

std::vector<Restriction> restrictions(const Table& table, std::uint32_t rank,
                                      const std::optional<CpuSet>& present) {
    const std::int32_t number = table.node(rank).machine;
    const Machine* machine =
        number < 0 ? nullptr : &table.dictionary().machines()[static_cast<std::size_t>(number)];
    const Placement placement =
        present && machine != nullptr ? place(*machine, *present) : table.pattern(rank).placement;
    std::vector<Restriction> all;
    for (const ResourceType& type : resource_types(table)) {
        const bool is_of_machine = !type.is_level && !type.crosses_nodes();
        if (!is_of_machine || (machine != nullptr && machine->find(type.name) != nullptr)) {
            all.push_back({type.uri(), is_restricted(table, rank, type, placement)});
        }
    }
    return all;
}

}  // namespace hitopo
