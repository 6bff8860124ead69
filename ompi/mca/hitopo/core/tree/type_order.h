// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The resource types of a job in one order, which all questions about types go by.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_TYPE_ORDER_H
#define OMPI_MCA_HITOPO_CORE_TREE_TYPE_ORDER_H

#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// All levels, types of machines and side resources of the job whose whole tree this is, so that none
// stands behind one that it contains. A type contains another
// - if one of its instances has all CPUs of one of the other's, and more, on a machine of the job; a
//   level inside the node stands for the machine's type of the same things;
// - if both are levels and it is the outer, or it is node or further out and the other inside the node;
// - if one of its domains has all processes of one of the other's, and more, and no machine has one of
//   the two: a level inside the node with explicit values, or a side resource that crosses nodes.
// Types that contain each other, on two machines, or neither the other, stand as in
// core/machine/catalogue.h. Time O(P * types) for each such level or side resource; memory O(P).
std::vector<ResourceType> types_in_order(const AddressTree& tree);

// The job's types in their order: the levels, and those that the machines of the communicator's nodes
// have.
std::vector<ResourceType> nesting_types(const AddressTree& tree);  // no side resources

// These, the side resources of such machines, and those across nodes that some process of the
// communicator has.
std::vector<ResourceType> resource_types(const AddressTree& tree);

}  // namespace hitopo

#endif
