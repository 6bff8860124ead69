// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_INNER_INSTANCES_H
#define OMPI_MCA_HITOPO_CORE_TREE_INNER_INSTANCES_H

#include <climits>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// The instances of one type inside nodes.
class InnerInstances {
public:
    static constexpr int kUnknownCpus = INT_MAX;

    // type: of one that is not inside nodes there are none. Both must outlive this.
    InnerInstances(const JobFacts& facts, const ResourceType& type);

    // The instance that holds a process which lies so in such a machine (-1: none); -1: none does.
    std::int64_t of(std::int32_t machine, const Placement& placement) const;

    // The CPUs of the instance that holds a place; kUnknownCpus where none does, and of a level.
    int num_cpus(const InnerPlace& place) const;

    // By seat of a layout, counted from its first: the number of its instance among those that occur,
    // in their order, or -1.
    std::vector<std::int32_t> in_layout(const AddressTree& tree, const TreeLayout& layout) const;

private:
    const JobFacts& facts_;
    const ResourceType& type_;
    std::vector<int> index_of_type_;  // by machine: where the type stands in it, or -1
};

}  // namespace hitopo

#endif
