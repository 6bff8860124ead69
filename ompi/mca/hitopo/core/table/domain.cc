// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/domain.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/machine/catalogue.h"

namespace hitopo {
namespace {

// An instance within its node, or -1.
using InstanceOf = std::int64_t (*)(const Placement& placement);

std::int64_t l2numa_of(const Placement& placement) { return placement[kL2Numa]; }
std::int64_t socket_of(const Placement& placement) { return placement[kSocket]; }

constexpr std::int64_t kMaxSiblings = 1 << 20;

// -1 for the socket or the core stands for a machine without any.
std::int64_t on_core(const Placement& placement) {
    return (placement[kSocket] + 1) * kMaxSiblings + placement[kCore] + 1;
}

std::int64_t core_of(const Placement& placement) {
    return placement[kCore] < 0 ? -1 : on_core(placement);
}

std::int64_t hwthread_of(const Placement& placement) {
    return placement[kHwThread] < 0 ? -1 : on_core(placement) * kMaxSiblings + placement[kHwThread];
}

// Puts in each value's place its number among the distinct ones, in their order; -1 stays. Gives how
// many there are.
std::int32_t make_dense(std::int64_t* begin, std::int64_t* end) {
    std::vector<std::int64_t> distinct(begin, end);
    distinct.push_back(-1);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::int64_t* value = begin; value != end; ++value) {
        *value = std::lower_bound(distinct.begin(), distinct.end(), *value) - distinct.begin() - 1;
    }
    return static_cast<std::int32_t>(distinct.size()) - 1;
}

// Numbers the instances that occur, in their order, node after node. instance_of: of a seat in a node
// of the table; the same in all nodes of one layout.
template <class SeatInstanceOf>
Domains number_instances(const Table& table, SeatInstanceOf instance_of) {
    const NodeLayouts& layouts = table.layouts();
    std::vector<std::int64_t> instances;      // by seat
    std::vector<std::int32_t> num_instances;  // by layout
    for (const NodeLayout& layout : layouts.layouts()) {
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            instances.push_back(instance_of(layout.first_node, layouts.seats()[layout.first_seat + i]));
        }
        std::int64_t* own = instances.data() + layout.first_seat;
        num_instances.push_back(make_dense(own, own + layout.num_seats));
    }
    Domains domains;
    std::vector<std::int32_t> first_domain;  // by node
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        first_domain.push_back(domains.count);
        domains.count += num_instances[layouts.of_node(node)];
    }
    domains.domain.resize(table.size());
    table.places().for_each([&](std::size_t rank, RankMap::Place at) {
        const auto instance = static_cast<std::int32_t>(instances[at.seat]);
        domains.domain[rank] = instance < 0 ? -1 : first_domain[at.node] + instance;
    });
    return domains;
}

Domains network_domains(const Table& table, Level level) {
    if (table.known(level) == Table::Known::kNone) {
        return {std::vector<std::int32_t>(table.size(), -1), 0};
    }
    std::vector<std::int32_t> values;  // by node
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        values.push_back(table.network_number(node, level));
    }
    Domains domains = {std::vector<std::int32_t>(table.size()), table.num_distinct(level)};
    table.places().for_each(
        [&](std::size_t rank, RankMap::Place at) { domains.domain[rank] = values[at.node]; });
    return domains;
}

Domains inner_domains(const Table& table, InstanceOf instance_of) {
    return number_instances(table, [&](std::size_t, const Seat& seat) {
        return instance_of(table.dictionary().patterns[seat.pattern].placement);
    });
}

// Plain "Group" is the outermost of a machine that has several depths of them.
const MachineType* find_type(const Machine& machine, const std::string& name) {
    const MachineType* type = machine.find(name);
    return type == nullptr && name == "Group" ? machine.find("Group0") : type;
}

Domains machine_domains(const Table& table, const std::string& name) {
    std::vector<int> index_of_type;  // by machine: where the type stands in it, or -1
    for (const Machine& machine : table.dictionary().machines) {
        const MachineType* type = find_type(machine, name);
        index_of_type.push_back(type == nullptr ? -1 : static_cast<int>(type - machine.types().data()));
    }
    return number_instances(table, [&](std::size_t node, const Seat& seat) -> std::int64_t {
        const std::int32_t machine = table.node_info(node).machine;
        const std::vector<int>& instances =
            table.dictionary().patterns[seat.pattern].placement.instances;
        const int type = machine < 0 ? -1 : index_of_type[static_cast<std::size_t>(machine)];
        return type < 0 || instances.empty() ? -1 : instances[static_cast<std::size_t>(type)];
    });
}

ResourceType level_resource(Level level) { return {std::string(level_type(level)), true, level}; }

// All types of the table's machines but boards, outermost first.
std::vector<std::string> machine_types(const Table& table) {
    std::vector<std::string> names;
    std::vector<bool> is_listed(table.dictionary().machines.size(), false);
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        const std::int32_t machine = table.node_info(node).machine;
        if (machine < 0 || is_listed[static_cast<std::size_t>(machine)]) {
            continue;
        }
        is_listed[static_cast<std::size_t>(machine)] = true;
        for (const MachineType& type :
             table.dictionary().machines[static_cast<std::size_t>(machine)].types()) {
            if (type.name != level_type(kL2Numa)) {
                names.push_back(type.name);
            }
        }
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        const int rank_a = catalogue_rank(a);
        const int rank_b = catalogue_rank(b);
        return rank_a != rank_b ? rank_a < rank_b : a < b;
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace

std::vector<ResourceType> resource_types(const Table& table) {
    const std::vector<std::string> names = machine_types(table);
    std::vector<ResourceType> types;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        types.push_back(level_resource(level));
    }
    // A level below the node stands directly after the machine's types that are not further in.
    auto add_until = [&, next = std::size_t{0}](int rank) mutable {
        for (; next < names.size() && catalogue_rank(names[next]) <= rank; ++next) {
            types.push_back({names[next], false, kCluster});
        }
    };
    const std::pair<const char*, Level> inner[] = {
        {"L2NUMA", kL2Numa}, {"Package", kSocket}, {"Core", kCore}, {"PU", kHwThread}};
    for (const auto& [beside, level] : inner) {
        add_until(catalogue_rank(beside));
        types.push_back(level_resource(level));
    }
    add_until(INT32_MAX);
    return types;
}

Domains domains_of(const Table& table, const ResourceType& type) {
    if (!type.is_level) {
        return machine_domains(table, type.name);
    }
    switch (type.level) {
        case kL2Numa:
            return inner_domains(table, l2numa_of);
        case kSocket:
            return inner_domains(table, socket_of);
        case kCore:
            return inner_domains(table, core_of);
        case kHwThread:
            return inner_domains(table, hwthread_of);
        default:
            return network_domains(table, type.level);
    }
}

}  // namespace hitopo
