// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Questions about processes and the resources that they share.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_LOCALITY_H
#define OMPI_MCA_HITOPO_CORE_TABLE_LOCALITY_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/table/table.h"
#include "ompi/mca/hitopo/core/tree/locality.h"
#include "ompi/mca/hitopo/core/tree/split.h"

namespace hitopo {

// URIs of what the processes of a table can be on, outermost first: the levels down to the node that
// somebody knows, those below it that have explicit values, and all other types.
std::vector<std::string> hardware_levels(const Table& table);

// The URI of the type whose domain is the smallest (deepest_type) of those that hold all of `ranks` (one
// at least); "" if none.
std::string min_domain(const Table& table, const Ranks& ranks);

// The processes in the domain that is `hops` outward from `rank` among the metric's types that it is
// restricted to, the smallest domain first; the last such domain where there are fewer; `rank` alone for
// 0. A domain that does not hold the one before is left out, so that more hops never reach fewer.
Ranks neighbours(const Table& table, std::uint32_t rank, int hops, Metric metric);

// All levels, the types of the process's machine and those that cross nodes. present: the CPUs that it
// may run on now, if they are others than the table's.
std::vector<Restriction> restrictions(const Table& table, std::uint32_t rank,
                                      const std::optional<CpuSet>& present);

}  // namespace hitopo

#endif
