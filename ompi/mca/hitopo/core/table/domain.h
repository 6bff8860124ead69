// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Domains: for each resource type of a communicator, which processes are restricted to one instance.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_DOMAIN_H
#define OMPI_MCA_HITOPO_CORE_TABLE_DOMAIN_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/table/table.h"
#include "ompi/mca/hitopo/core/tree/resource_type.h"

namespace hitopo {

// What may nest: the levels, always all eight, and what the machines of the communicator's nodes have;
// outermost first by all machines of the job (core/table/type_order.h), so that its communicators agree.
// Where no machine tells: Cluster, Island, Switch, Node, Machine, L2NUMA, Group0.., Package, Die,
// NUMANode, L5..L1Cache, Core, PU, others; the levels below the node directly after the machine's type
// of the same things. Levels of the network and the node come first.
std::vector<ResourceType> nesting_types(const Table& table);

// These and the side resources of machines, outermost first; then those that cross nodes and somebody
// has.
std::vector<ResourceType> resource_types(const Table& table);

// The instances of one type inside the nodes.
class SeatInstances {
public:
    // type: not of a network level. table must outlive this.
    SeatInstances(const Table& table, const ResourceType& type);

    // For each seat of a layout the number of the instance that holds it among those that occur in it,
    // in their order, or -1; puts them at `instances` and gives how many occur.
    std::int32_t of_layout(std::size_t layout, std::int32_t* instances) const;

    // The CPUs of the instance that holds a seat of nodes with a machine (-1: none); kUnknownCpus where
    // none does, or where the type is a level.
    static constexpr int kUnknownCpus = DomainSize::kUnknownCpus;
    int num_cpus(std::int32_t machine, const Seat& seat) const;

    // An instance within its node, or -1.
    std::int64_t instance_of(std::int32_t machine, const Placement& placement) const;

private:
    const Table& table_;
    const ResourceType type_;
    std::vector<int> index_of_type_;  // by machine: where the type stands in it, or -1
};

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
