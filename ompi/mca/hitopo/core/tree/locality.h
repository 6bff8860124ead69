// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Questions about processes and the resources that they share.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_LOCALITY_H
#define OMPI_MCA_HITOPO_CORE_TREE_LOCALITY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {

// URIs of the resources that processes of a communicator can be on, outermost first: the known levels
// down to the node, those below it that have explicit values, and all other types.
std::vector<std::string> hardware_levels(const AddressTree& tree);

enum class Metric { kCompute = 1, kMemory = 2, kNetwork = 3 };

// The processes in the domain that is `hops` outward from `rank` among the metric's types that it is
// restricted to, the smallest domain first; the last such domain where there are fewer; `rank` alone for
// 0. A domain that does not hold the one before is left out, so that more hops never reach fewer.
Ranks neighbours(const AddressTree& tree, std::uint32_t rank, int hops, Metric metric);

struct Restriction {
    std::string uri;
    bool is_restricted;
};

// All levels, the types of the process's machine and those that cross nodes. present: the CPUs that it
// may run on now, if they are others than the tree's.
std::vector<Restriction> restrictions(const AddressTree& tree, std::uint32_t rank,
                                      const std::optional<CpuSet>& present);

// The restrictions if nothing is known: to no level.
std::vector<Restriction> no_restrictions();

}  // namespace hitopo

#endif
