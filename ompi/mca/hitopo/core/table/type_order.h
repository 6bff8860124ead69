// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The order in which resource types stand: what contains what is read from the machines of the job.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_TYPE_ORDER_H
#define OMPI_MCA_HITOPO_CORE_TABLE_TYPE_ORDER_H

#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo {

// Orders `types` (each once) so that none stands behind one that it contains. A type contains another
// - if one of its instances has all CPUs of one of the other's, and more, on a machine of the job; a
//   level inside the node stands for the machine's type of the same things;
// - if both are levels and it is the outer, or it is node or further out and the other inside the node.
// Types that contain each other, on two machines, or neither the other, keep their order. The same at
// all processes and for all communicators of the job.
void put_outer_first(const Dictionary& dictionary, std::vector<ResourceType>& types);

// The same, but what no machine has stands by its processes: levels inside the node with explicit
// values, and types that cross nodes, contain another if one of their domains has all processes of one
// of the other's, and more. The same at all processes that have the table. Time O(P * types) where a
// type crosses nodes, else O(seats * types).
void put_outer_first(const Table& table, std::vector<ResourceType>& types);

// Whether some process of the job has an explicit value for a level inside the node: from a map, or from
// a component that tells values and no machine.
bool is_explicit(const Dictionary& dictionary, Level level);

}  // namespace hitopo

#endif
