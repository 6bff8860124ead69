// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Domains: for each resource type of a communicator, which processes are restricted to one instance.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_DOMAIN_H
#define OMPI_MCA_HITOPO_CORE_TABLE_DOMAIN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {

// A resource type: a level ("Switch", URI "hitopo://Switch"), a type of a machine ("L3Cache", URI
// "hwloc://L3Cache"), or a side resource, whose name is its URI: one that crosses nodes
// ("nvlink://Domain"), or a type of a machine ("gpu://Nearest").
struct ResourceType {
    std::string name;
    bool is_level = false;
    Level level = kCluster;     // where is_level
    std::int32_t side = kNone;  // index into the dictionary's side types

    static constexpr std::int32_t kNone = -1;

    bool is_side() const { return side != kNone || is_side_type(name); }
    bool crosses_nodes() const { return side != kNone; }
    std::string uri() const {
        return is_level ? "hitopo://" + name : is_side() ? name : "hwloc://" + name;
    }
};

// All that the communicator's nodes have and that may nest, outermost first in the catalogue's order:
// Cluster, Island, Switch, Node, Machine, L2NUMA, Group0.., Package, Die, NUMANode, L5..L1Cache, Core,
// PU; the levels below the node directly after the machine's type of the same things. Always all eight
// levels.
std::vector<ResourceType> nesting_types(const Table& table);

// These, and then the types of side resources: those that cross nodes and somebody has, those of
// machines.
std::vector<ResourceType> resource_types(const Table& table);

// The instances of one type inside the nodes.
class SeatInstances {
public:
    // type: not of a network level. table must outlive this.
    SeatInstances(const Table& table, const ResourceType& type);

    // For each seat of a layout the number of the instance that holds it among those that occur in it,
    // in their order, or -1; puts them at `instances` and gives how many occur.
    std::int32_t of_layout(std::size_t layout, std::int32_t* instances) const;

private:
    std::int64_t instance_of(std::int32_t machine, const Placement& placement) const;

    const Table& table_;
    const ResourceType type_;
    std::vector<int> index_of_type_;  // by machine: where the type stands in it, or -1
};

// Of the types for which holds(index) is true the one that names what they have in common: the deepest
// of a machine, where there is none the deepest level; types.size() for none.
template <class Holds>
std::size_t deepest_type(const std::vector<ResourceType>& types, Holds&& holds) {
    std::size_t deepest = types.size();
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool may_stand = deepest == types.size() || types[deepest].is_level || !types[i].is_level;
        if (may_stand && holds(i)) {
            deepest = i;
        }
    }
    return deepest;
}

// The domains of one type.
struct Domains {
    std::vector<std::int32_t>
        domain;  // by rank: 0..count-1 in the order of (node or value, instance); -1: none
    std::int32_t count = 0;
};

// Domains of a level that nobody knows: none, every process has -1. Time O(P + dictionary).
Domains domains_of(const Table& table, const ResourceType& type);

}  // namespace hitopo

#endif
