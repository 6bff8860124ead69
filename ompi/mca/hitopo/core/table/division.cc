// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/division.h"

#include <algorithm>
#include <utility>

namespace hitopo {
namespace {

// A level that nobody knows is one domain of all here: no strict subset, as none would be.
std::vector<std::vector<std::int32_t>> network_domains(const Table& table) {
    std::vector<std::vector<std::int32_t>> domains(3, std::vector<std::int32_t>(table.num_nodes()));
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            domains[level][node] = table.network_number(node, level);
        }
    }
    return domains;
}

std::vector<std::uint32_t> num_processes(const std::vector<RankMap::Extent>& extents) {
    std::vector<std::uint32_t> counts(extents.size());
    std::transform(extents.begin(), extents.end(), counts.begin(),
                   [](const RankMap::Extent& extent) { return extent.count; });
    return counts;
}

}  // namespace

Division::Division(const Table& table)
    : table_(table),
      types_(nesting_types(table)),
      extents_(table.places().extents(table.num_nodes())),
      whole_node_type_(table.layouts().layouts().size(), 0),
      nodes_(network_domains(table), num_processes(extents_), true) {
    inner_.reserve(types_.size() - kFirstInner);
    for (std::size_t type = kFirstInner; type < types_.size(); ++type) {
        inner_.emplace_back(table, types_[type]);
    }
}

Divider Division::seats(std::size_t layout, std::vector<std::uint32_t> weights) const {
    std::vector<std::vector<std::int32_t>> domains;
    domains.reserve(inner_.size());
    for (const SeatInstances& type : inner_) {
        std::vector<std::int32_t> instances(weights.size());
        type.of_layout(layout, instances.data());
        domains.push_back(std::move(instances));
    }
    return {std::move(domains), std::move(weights), false};
}

Division::Sizes Division::sizes_of(const Divider& divider, const Items& parent) {
    Sizes sizes;
    for (std::size_t type = 0; type < divider.num_types(); ++type) {
        sizes.push_back(divider.domain_sizes(type, parent));
    }
    return sizes;
}

// What has the processes of a part has as many of them: CPUs tell.
DomainSize Division::size_in(std::size_t type, std::size_t layout, std::uint32_t seat) const {
    const NodeLayout& own = table_.layouts().layouts()[layout];
    return {0, inner_[type - kFirstInner].num_cpus(table_.machine_of(own.first_node),
                                                   table_.layouts().seats()[own.first_seat + seat])};
}

std::size_t Division::type_of_nodes(const Sizes& sizes, const Items& part) {
    if (part.size() == 1) {
        return type_of_whole_node(table_.layouts().of_node(part[0]));
    }
    return deepest_type(kNumOuter, [&](std::size_t type) {
        return nodes_.is_domain(type, sizes[type], part)
                   ? std::optional(DomainSize{0, SeatInstances::kUnknownCpus})
                   : std::nullopt;
    });
}

// Level node is one for each of them.
std::size_t Division::type_of_whole_node(std::size_t layout) {
    std::size_t& known = whole_node_type_[layout];
    if (known > 0) {
        return known;
    }
    std::vector<std::int32_t> instances(table_.layouts().layouts()[layout].num_seats);
    known = deepest_type(types_.size(), [&](std::size_t type) -> std::optional<DomainSize> {
        if (type < kFirstInner) {
            return DomainSize{0, SeatInstances::kUnknownCpus};
        }
        inner_[type - kFirstInner].of_layout(layout, instances.data());
        const bool is_one =
            std::all_of(instances.begin(), instances.end(), [](std::int32_t i) { return i == 0; });
        return is_one ? std::optional(size_in(type, layout, 0)) : std::nullopt;
    });
    return known;
}

std::size_t Division::type_of_seats(const Divider& seats, std::size_t layout, const Sizes& sizes,
                                    const Items& part) const {
    return deepest_type(types_.size(), [&](std::size_t type) -> std::optional<DomainSize> {
        const bool holds =
            type >= kFirstInner && seats.is_domain(type - kFirstInner, sizes[type - kFirstInner], part);
        return holds ? std::optional(size_in(type, layout, part[0])) : std::nullopt;
    });
}

}  // namespace hitopo
