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
      covers_(table.layouts().layouts().size()),
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

std::size_t Division::type_of_nodes(const Sizes& sizes, const Items& part) {
    return deepest_type(types_, [&](std::size_t type) {
        if (type < kNumOuter) {
            return nodes_.is_domain(type, sizes[type], part);
        }
        return part.size() == 1 &&
               (type < kFirstInner || covers(type - kFirstInner, table_.layouts().of_node(part[0])));
    });
}

// Whether one instance holds all processes of a node.
bool Division::covers(std::size_t type, std::size_t layout) {
    std::vector<bool>& known = covers_[layout];
    if (known.empty()) {
        std::vector<std::int32_t> instances(table_.layouts().layouts()[layout].num_seats);
        for (const SeatInstances& inner : inner_) {
            inner.of_layout(layout, instances.data());
            known.push_back(
                std::all_of(instances.begin(), instances.end(), [&](std::int32_t i) { return i == 0; }));
        }
    }
    return known[type];
}

std::size_t Division::type_of_seats(const Divider& seats, const Sizes& sizes, const Items& part) const {
    return deepest_type(types_, [&](std::size_t type) {
        return type >= kFirstInner &&
               seats.is_domain(type - kFirstInner, sizes[type - kFirstInner], part);
    });
}

}  // namespace hitopo
