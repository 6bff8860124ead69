// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/domain.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/table/type_order.h"

namespace hitopo {
namespace {

// -1 for the socket or the core stands for a machine without any.
std::int64_t on_core(const Placement& placement) {
    return (placement[kSocket] + std::int64_t{1}) * kMaxSiblings + placement[kCore] + 1;
}

std::int64_t core_of(const Placement& placement) {
    return placement[kCore] < 0 ? -1 : on_core(placement);
}

std::int64_t hwthread_of(const Placement& placement) {
    return placement[kHwThread] < 0 ? -1 : on_core(placement) * kMaxSiblings + placement[kHwThread];
}

// Numbers the instances that occur, node after node.
Domains inner_domains(const Table& table, const ResourceType& type) {
    const NodeLayouts& layouts = table.layouts();
    const SeatInstances of_type(table, type);
    std::vector<std::int32_t> instances(layouts.seats().size());  // by seat
    std::vector<std::int32_t> num_instances;                      // by layout
    for (std::size_t i = 0; i < layouts.layouts().size(); ++i) {
        num_instances.push_back(
            of_type.of_layout(i, instances.data() + layouts.layouts()[i].first_seat));
    }
    Domains domains;
    std::vector<std::int32_t> first_domain;  // by node
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        first_domain.push_back(domains.count);
        domains.count += num_instances[layouts.of_node(node)];
    }
    domains.domain.resize(table.size());
    table.places().for_each([&](std::size_t rank, RankMap::Place at) {
        const std::int32_t instance = instances[at.seat];
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

bool has_side(const Table& table, std::size_t type) {
    const NodeLayouts& layouts = table.layouts();
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        const NodeLayout& layout = layouts.layouts()[layouts.of_node(node)];
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            if (table.side_of(node, table.cohort_of_seat(layout.first_seat + i), type) >= 0) {
                return true;
            }
        }
    }
    return false;
}

// What somebody of the communicator has is numbered in its order.
Domains side_domains(const Table& table, std::size_t type) {
    Domains domains;
    domains.domain.resize(table.size());
    table.places().for_each([&](std::size_t rank, RankMap::Place at) {
        domains.domain[rank] = table.side_of(at.node, table.cohort_of_seat(at.seat), type);
    });
    std::vector<std::int32_t> numbers(table.dictionary().num_side_values(type), -1);
    for (const std::int32_t value : domains.domain) {
        if (value >= 0) {
            numbers[static_cast<std::size_t>(value)] = 0;
        }
    }
    for (std::int32_t& number : numbers) {
        number = number < 0 ? -1 : domains.count++;
    }
    for (std::int32_t& value : domains.domain) {
        value = value < 0 ? -1 : numbers[static_cast<std::size_t>(value)];
    }
    return domains;
}

ResourceType level_resource(Level level) { return {std::string(level_type(level)), true, level}; }

// Those of a machine but boards, which are a level.
void add_names(const Machine& machine, std::set<std::string>& names) {
    for (const MachineType& type : machine.types()) {
        if (type.name != level_type(kL2Numa)) {
            names.insert(type.name);
        }
    }
}

// The names in the machines of the communicator's nodes.
std::set<std::string> names_here(const Table& table) {
    std::set<std::string> names;
    std::set<std::int32_t> machines;
    for (std::size_t node = 0; node < table.num_nodes(); ++node) {
        const std::int32_t machine = table.machine_of(node);
        if (machine >= 0 && machines.insert(machine).second) {
            add_names(table.dictionary().machines()[static_cast<std::size_t>(machine)], names);
        }
    }
    return names;
}

// The names in all machines of the job; side resources come last, or not at all.
std::vector<std::string> catalogued_names(const Dictionary& dictionary, bool has_side) {
    std::set<std::string> all;
    for (const Machine& machine : dictionary.machines()) {
        add_names(machine, all);
    }
    std::vector<std::string> names;
    std::copy_if(all.begin(), all.end(), std::back_inserter(names),
                 [=](const std::string& name) { return has_side || !is_side_type(name); });
    std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::make_pair(catalogue_rank(a), is_side_type(a)) <
               std::make_pair(catalogue_rank(b), is_side_type(b));
    });
    return names;
}

// All levels and types of the job's machines, outermost first.
std::vector<ResourceType> job_types(const Dictionary& dictionary, bool has_side) {
    const std::vector<std::string> names = catalogued_names(dictionary, has_side);
    std::vector<ResourceType> types;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        types.push_back(level_resource(level));
    }
    // A level below the node stands directly after the machine's types that are not further in.
    auto add_until = [&, next = std::size_t{0}](int rank) mutable {
        for (; next < names.size() && catalogue_rank(names[next]) <= rank; ++next) {
            types.push_back({names[next]});
        }
    };
    const std::pair<const char*, Level> inner[] = {
        {"L2NUMA", kL2Numa}, {"Package", kSocket}, {"Core", kCore}, {"PU", kHwThread}};
    for (const auto& [beside, level] : inner) {
        add_until(catalogue_rank(beside));
        types.push_back(level_resource(level));
    }
    add_until(INT32_MAX);
    put_outer_first(dictionary, types);
    return types;
}

// The levels, and those that a machine of the communicator's nodes has.
std::vector<ResourceType> types_here(const Table& table, bool has_side) {
    std::vector<ResourceType> types = job_types(table.dictionary(), has_side);
    const std::set<std::string> here = names_here(table);
    const auto is_elsewhere = [&](const ResourceType& type) {
        return !type.is_level && here.count(type.name) == 0;
    };
    types.erase(std::remove_if(types.begin(), types.end(), is_elsewhere), types.end());
    return types;
}

}  // namespace

std::vector<ResourceType> nesting_types(const Table& table) { return types_here(table, false); }

std::vector<ResourceType> resource_types(const Table& table) {
    std::vector<ResourceType> types = types_here(table, true);
    const std::vector<std::string>& crossing = table.dictionary().side_types();
    for (std::size_t i = 0; i < crossing.size(); ++i) {
        const auto is_same = [&](const ResourceType& type) { return type.name == crossing[i]; };
        types.erase(std::remove_if(types.begin(), types.end(), is_same), types.end());
        if (has_side(table, i)) {
            types.push_back({crossing[i], false, kCluster, static_cast<std::int32_t>(i)});
        }
    }
    return types;
}

SeatInstances::SeatInstances(const Table& table, const ResourceType& type) : table_(table), type_(type) {
    if (type.is_level) {
        return;
    }
    for (const Machine& machine : table.dictionary().machines()) {
        const MachineType* found = machine.find(type.name);
        index_of_type_.push_back(found == nullptr ? -1
                                                  : static_cast<int>(found - machine.types().data()));
    }
}

std::int64_t SeatInstances::instance_of(std::int32_t machine, const Placement& placement) const {
    if (type_.is_level) {
        return type_.level == kCore       ? core_of(placement)
               : type_.level == kHwThread ? hwthread_of(placement)
                                          : placement[type_.level];
    }
    const int type = machine < 0 ? -1 : index_of_type_[static_cast<std::size_t>(machine)];
    return type < 0 || placement.instances.empty() ? -1
                                                   : placement.instances[static_cast<std::size_t>(type)];
}

int SeatInstances::num_cpus(std::int32_t machine, const Seat& seat) const {
    const std::int64_t instance =
        type_.is_level ? -1
                       : instance_of(machine, table_.dictionary().patterns()[seat.pattern].placement);
    if (instance < 0) {
        return kUnknownCpus;
    }
    const Machine& own = table_.dictionary().machines()[static_cast<std::size_t>(machine)];
    const auto type = static_cast<std::size_t>(index_of_type_[static_cast<std::size_t>(machine)]);
    return own.types()[type].instances[static_cast<std::size_t>(instance)].count();
}

std::int32_t SeatInstances::of_layout(std::size_t number, std::int32_t* instances) const {
    const NodeLayout& layout = table_.layouts().layouts()[number];
    const Seat* const seats = &table_.layouts().seats()[layout.first_seat];
    const std::int32_t machine = table_.machine_of(layout.first_node);
    std::vector<std::int64_t> all(layout.num_seats);
    std::transform(seats, seats + layout.num_seats, all.begin(), [&](const Seat& seat) {
        return instance_of(machine, table_.dictionary().patterns()[seat.pattern].placement);
    });
    std::vector<std::int64_t> distinct = all;
    distinct.push_back(-1);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::size_t seat = 0; seat < all.size(); ++seat) {
        const auto found = std::lower_bound(distinct.begin(), distinct.end(), all[seat]);
        instances[seat] = static_cast<std::int32_t>(found - distinct.begin()) - 1;
    }
    return static_cast<std::int32_t>(distinct.size()) - 1;
}

Domains domains_of(const Table& table, const ResourceType& type) {
    if (type.crosses_nodes()) {
        return side_domains(table, static_cast<std::size_t>(type.side));
    }
    return type.is_level && type.level <= kNode ? network_domains(table, type.level)
                                                : inner_domains(table, type);
}

}  // namespace hitopo
