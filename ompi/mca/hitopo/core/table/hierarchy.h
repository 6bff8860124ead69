// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The whole hierarchy: the unguided split of a communicator, of what it gave this process, and so on.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_HIERARCHY_H
#define OMPI_MCA_HITOPO_CORE_TABLE_HIERARCHY_H

#include <cstdint>

#include "ompi/mca/hitopo/core/table/table.h"
#include "ompi/mca/hitopo/core/tree/hierarchy.h"

namespace hitopo {

// The hierarchy of the process `rank`. Time O(N log N) for N nodes, and a pass over the ranks where they
// are shuffled; memory O(N + seats + answer). Where domains cross inside nodes that several processes of
// one place stand in, each of those nodes is divided by itself.
Hierarchy make_hierarchy(const Table& table, std::uint32_t rank);

}  // namespace hitopo

#endif
