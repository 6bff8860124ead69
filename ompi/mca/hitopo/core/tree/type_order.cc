// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/type_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {
namespace {

using Numbers = std::vector<std::int32_t>;  // of domains, by process; -1: none

ResourceType level_resource(Level level) { return {std::string(level_type(level)), true, level}; }

// The type of a machine that has the same instances; "" if no machine has one.
std::string machine_name(const ResourceType& type) {
    if (!type.is_level) {
        return type.crosses_nodes() ? "" : type.name;
    }
    return type.level == kL2Numa     ? "L2NUMA"
           : type.level == kSocket   ? "Package"
           : type.level == kCore     ? "Core"
           : type.level == kHwThread ? "PU"
                                     : "";
}

// The catalogue's order: a level below the node behind the machine's types that are not further in.
std::vector<ResourceType> catalogued(const JobFacts& facts) {
    std::vector<ResourceType> types;
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        types.push_back(level_resource(level));
    }
    std::set<std::string> names;
    for (const Machine& machine : facts.machines) {
        for (const MachineType& type : machine.types()) {
            names.insert(type.name);
        }
    }
    names.erase("L2NUMA");  // which is a level
    for (const JobFacts::SideType& side : facts.side_types) {
        names.erase(side.uri);
    }
    for (const std::string& name : names) {
        types.push_back({name});
    }
    const auto key = [](const ResourceType& type) {
        return std::make_tuple(catalogue_rank(machine_name(type)), is_side_type(type.name),
                               type.is_level);
    };
    std::stable_sort(types.begin(), types.end(),
                     [&](const ResourceType& a, const ResourceType& b) { return key(a) < key(b); });
    types.insert(types.begin(), {level_resource(kCluster), level_resource(kIsland),
                                 level_resource(kSwitch), level_resource(kNode)});
    for (std::size_t side = 0; side < facts.side_types.size(); ++side) {
        types.push_back({facts.side_types[side].uri, false, kCluster, static_cast<std::int32_t>(side)});
    }
    return types;
}

// Whether a domain of `outer` has all of one of `inner`, and more.
bool has_inside(const Numbers& outer, const Numbers& inner) {
    struct Domain {
        std::int32_t around = -1;  // the outer domain of the first process
        bool is_inside = true;     // of all
        std::size_t size = 0;
    };
    std::vector<Domain> domains(
        static_cast<std::size_t>(*std::max_element(inner.begin(), inner.end()) + 1));
    std::vector<std::size_t> outer_sizes(
        static_cast<std::size_t>(*std::max_element(outer.begin(), outer.end()) + 1), 0);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (outer[i] >= 0) {
            ++outer_sizes[static_cast<std::size_t>(outer[i])];
        }
        if (inner[i] >= 0) {
            Domain& own = domains[static_cast<std::size_t>(inner[i])];
            own.around = own.size == 0 ? outer[i] : own.around;
            own.is_inside = own.is_inside && own.around == outer[i];
            ++own.size;
        }
    }
    return std::any_of(domains.begin(), domains.end(), [&](const Domain& own) {
        return own.is_inside && own.around >= 0 &&
               outer_sizes[static_cast<std::size_t>(own.around)] > own.size;
    });
}

using Matrix = std::vector<std::vector<bool>>;  // by outer type, then by inner

// Whether no machine has the type.
bool is_by_processes(const JobFacts& facts, const ResourceType& type) {
    return type.is_level ? facts.is_explicit(type.level) : type.crosses_nodes();
}

bool is_outer_level(const ResourceType& a, const ResourceType& b) {
    return a.is_level && (b.is_level ? a.level < b.level : a.level <= kNode && b.is_inside_node());
}

void add_machine(const Machine& machine, const JobFacts& facts, const std::vector<ResourceType>& types,
                 Matrix& contains) {
    std::vector<int> own;  // by type: its index in the machine; -1: none
    own.reserve(types.size());
    for (const ResourceType& type : types) {
        const MachineType* found =
            is_by_processes(facts, type) ? nullptr : machine.find(machine_name(type));
        own.push_back(found == nullptr ? -1 : static_cast<int>(found - machine.types().data()));
    }
    for (std::size_t outer = 0; outer < types.size(); ++outer) {
        for (std::size_t inner = 0; inner < types.size(); ++inner) {
            if (own[outer] >= 0 && own[inner] >= 0 &&
                machine.contains(static_cast<std::size_t>(own[outer]),
                                 static_cast<std::size_t>(own[inner]))) {
                contains[outer][inner] = true;
            }
        }
    }
}

// Compares a level inside the node with the types of machines: levels have their order.
void add_by_processes(const AddressTree& tree, const std::vector<ResourceType>& types, std::size_t type,
                      Matrix& contains) {
    const Numbers own = Partition::by_type(tree, types[type]).groups();
    for (std::size_t other = 0; other < types.size(); ++other) {
        const bool is_of_machine = !types[other].is_level && types[other].is_inside_node();
        if (other != type && (is_of_machine || types[type].crosses_nodes())) {
            const Numbers others = Partition::by_type(tree, types[other]).groups();
            contains[type][other] = contains[type][other] || has_inside(own, others);
            contains[other][type] = contains[other][type] || has_inside(others, own);
        }
    }
}

Matrix containment(const AddressTree& tree, const std::vector<ResourceType>& types) {
    Matrix contains;
    for (const ResourceType& outer : types) {
        contains.emplace_back();
        for (const ResourceType& inner : types) {
            contains.back().push_back(is_outer_level(outer, inner));
        }
    }
    for (const Machine& machine : tree.facts().machines) {
        add_machine(machine, tree.facts(), types, contains);
    }
    for (std::size_t type = 0; type < types.size(); ++type) {
        if (is_by_processes(tree.facts(), types[type])) {
            add_by_processes(tree, types, type, contains);
        }
    }
    for (std::size_t through = 0; through < types.size(); ++through) {
        for (std::vector<bool>& outer : contains) {
            for (std::size_t inner = 0; outer[through] && inner < types.size(); ++inner) {
                outer[inner] = outer[inner] || contains[through][inner];
            }
        }
    }
    return contains;
}

}  // namespace

// Types that contain each other have no order.
std::vector<ResourceType> types_in_order(const AddressTree& tree) {
    const std::vector<ResourceType> types = catalogued(tree.facts());
    const Matrix contains = containment(tree, types);
    std::vector<std::size_t> left(types.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<ResourceType> ordered;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](std::size_t type) {
            return std::none_of(left.begin(), left.end(), [&](std::size_t other) {
                return contains[other][type] && !contains[type][other];
            });
        });
        ordered.push_back(types[*next]);
        left.erase(next);
    }
    return ordered;
}

namespace {

std::vector<ResourceType> types_here(const AddressTree& tree, bool has_side) {
    std::set<std::int32_t> machines;
    for (const TreeLayout& layout : tree.layouts()) {
        machines.insert(layout.machine);
    }
    const auto is_here = [&](const ResourceType& type) {
        if (type.is_level || type.crosses_nodes()) {
            return type.is_level || Partition::by_type(tree, type).count() > 0;
        }
        return std::any_of(machines.begin(), machines.end(), [&](std::int32_t machine) {
            return index_in_machine(tree.facts(), machine, type) >= 0;
        });
    };
    std::vector<ResourceType> types;
    for (const ResourceType& type : tree.facts().types) {
        if ((has_side || !type.is_side()) && is_here(type)) {
            types.push_back(type);
        }
    }
    return types;
}

}  // namespace

std::vector<ResourceType> nesting_types(const AddressTree& tree) { return types_here(tree, false); }

std::vector<ResourceType> resource_types(const AddressTree& tree) { return types_here(tree, true); }

}  // namespace hitopo
