// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/type_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {
namespace {

using Numbers = std::vector<std::int32_t>;  // of domains, by process; -1: none

ResourceType level_resource(Level level) { return {std::string(level_type(level)), true, level}; }

// A machine's name for what a type is made of; "" for what no machine has.
std::string machine_name(const ResourceType& type) {
    static const std::map<Level, std::string> names = {
        {kL2Numa, "L2NUMA"}, {kSocket, "Package"}, {kCore, "Core"}, {kHwThread, "PU"}};
    if (!type.is_level) {
        return type.crosses_nodes() ? "" : type.name;
    }
    const auto name = names.find(type.level);
    return name == names.end() ? "" : name->second;
}

// As the catalogue has them: a level below the node behind the machine's types that are not further in.
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

std::vector<std::size_t> sizes_of(const Numbers& numbers) {  // by number
    const auto most = std::max_element(numbers.begin(), numbers.end());
    std::vector<std::size_t> sizes(static_cast<std::size_t>(*most + 1), 0);
    for (const std::int32_t number : numbers) {
        if (number >= 0) {
            ++sizes[static_cast<std::size_t>(number)];
        }
    }
    return sizes;
}

// Whether a domain of `outer` has all of one of `inner`, and more.
bool has_inside(const Numbers& outer, const Numbers& inner) {
    constexpr std::int32_t kUnseen = -2;
    const std::vector<std::size_t> outer_sizes = sizes_of(outer);
    const std::vector<std::size_t> inner_sizes = sizes_of(inner);
    Numbers around(inner_sizes.size(), kUnseen);  // by inner domain; -1: no one domain
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] >= 0) {
            std::int32_t& own = around[static_cast<std::size_t>(inner[i])];
            own = own == kUnseen || own == outer[i] ? outer[i] : -1;
        }
    }
    for (std::size_t number = 0; number < around.size(); ++number) {
        if (around[number] >= 0 &&
            outer_sizes[static_cast<std::size_t>(around[number])] > inner_sizes[number]) {
            return true;
        }
    }
    return false;
}

class Containment {
public:
    Containment(const AddressTree& tree, const std::vector<ResourceType>& types)
        : tree_(tree), types_(types), contains_(types.size(), std::vector<bool>(types.size(), false)) {
        for (const ResourceType& type : types) {
            stands_by_processes_.push_back(type.is_level ? tree.facts().is_explicit(type.level)
                                                         : type.crosses_nodes());
        }
        add_levels();
        for (const Machine& machine : tree.facts().machines) {
            add_machine(machine);
        }
        for (std::size_t type = 0; type < types.size(); ++type) {
            if (stands_by_processes_[type]) {
                add_by_processes(type);
            }
        }
        close();
    }

    // Types that contain each other have no order.
    bool is_before(std::size_t a, std::size_t b) const { return contains_[a][b] && !contains_[b][a]; }

private:
    template <class Contains>
    void add(const Contains& contains) {
        for (std::size_t outer = 0; outer < types_.size(); ++outer) {
            for (std::size_t inner = 0; inner < types_.size(); ++inner) {
                contains_[outer][inner] =
                    contains_[outer][inner] || (outer != inner && contains(outer, inner));
            }
        }
    }

    void add_levels() {
        add([this](std::size_t outer, std::size_t inner) {
            const ResourceType& a = types_[outer];
            const ResourceType& b = types_[inner];
            return a.is_level &&
                   (b.is_level ? a.level < b.level : a.level <= kNode && b.is_inside_node());
        });
    }

    void add_machine(const Machine& machine) {
        std::vector<std::ptrdiff_t> own;  // where each type stands in it; -1: it does not
        for (std::size_t type = 0; type < types_.size(); ++type) {
            const MachineType* found =
                stands_by_processes_[type] ? nullptr : machine.find(machine_name(types_[type]));
            own.push_back(found == nullptr ? -1 : found - machine.types().data());
        }
        add([&](std::size_t outer, std::size_t inner) {
            return own[outer] >= 0 && own[inner] >= 0 &&
                   machine.contains(static_cast<std::size_t>(own[outer]),
                                    static_cast<std::size_t>(own[inner]));
        });
    }

    // A level inside the node against what a machine has: levels have their order.
    void add_by_processes(std::size_t type) {
        const Numbers own = Partition::by_type(tree_, types_[type]).groups();
        for (std::size_t other = 0; other < types_.size(); ++other) {
            const bool is_of_machine = !types_[other].is_level && types_[other].is_inside_node();
            if (other != type && (is_of_machine || types_[type].crosses_nodes())) {
                const Numbers others = Partition::by_type(tree_, types_[other]).groups();
                contains_[type][other] = contains_[type][other] || has_inside(own, others);
                contains_[other][type] = contains_[other][type] || has_inside(others, own);
            }
        }
    }

    void close() {
        for (std::size_t through = 0; through < types_.size(); ++through) {
            for (std::vector<bool>& outer : contains_) {
                for (std::size_t inner = 0; outer[through] && inner < types_.size(); ++inner) {
                    outer[inner] = outer[inner] || contains_[through][inner];
                }
            }
        }
    }

    const AddressTree& tree_;
    const std::vector<ResourceType>& types_;
    std::vector<bool> stands_by_processes_;    // by type
    std::vector<std::vector<bool>> contains_;  // by outer type, then by inner
};

}  // namespace

std::vector<ResourceType> types_in_order(const AddressTree& tree) {
    const std::vector<ResourceType> types = catalogued(tree.facts());
    const Containment containment(tree, types);
    std::vector<std::size_t> left(types.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<ResourceType> ordered;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](std::size_t type) {
            return std::none_of(left.begin(), left.end(),
                                [&](std::size_t other) { return containment.is_before(other, type); });
        });
        ordered.push_back(types[*next]);
        left.erase(next);
    }
    return ordered;
}

namespace {

std::vector<ResourceType> types_here(const AddressTree& tree, bool has_side) {
    std::set<std::string> here;
    std::set<std::int32_t> machines = {-1};
    for (const TreeLayout& layout : tree.layouts()) {
        if (machines.insert(layout.machine).second) {
            for (const MachineType& type :
                 tree.facts().machines[static_cast<std::size_t>(layout.machine)].types()) {
                here.insert(type.name);
            }
        }
    }
    std::vector<ResourceType> types;
    for (const ResourceType& type : tree.facts().types) {
        const bool is_here = type.is_level          ? true
                             : type.crosses_nodes() ? Partition::by_type(tree, type).count() > 0
                                                    : here.count(type.name) > 0;
        if ((has_side || !type.is_side()) && is_here) {
            types.push_back(type);
        }
    }
    return types;
}

}  // namespace

std::vector<ResourceType> nesting_types(const AddressTree& tree) { return types_here(tree, false); }

std::vector<ResourceType> resource_types(const AddressTree& tree) { return types_here(tree, true); }

}  // namespace hitopo
