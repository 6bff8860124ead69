// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue: the order of the resource types inside a node where inclusion does not decide it.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_CATALOGUE_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_CATALOGUE_H

#include <optional>
#include <string_view>

namespace hitopo {

// The place of a type in the catalogue: Machine, L2NUMA, Group0.., Package, Die, NUMANode, L5..L1Cache
// (each instruction cache after the cache of its depth), Core, PU, then any other by name; smaller is
// further out. In any case ("l3cache").
int catalogue_rank(std::string_view type);

// Whether the catalogue has the type, in any case.
bool is_catalogued(std::string_view type);

// The order of the catalogue; types of equal rank by name.
bool is_outer_type(std::string_view a, std::string_view b);

// The depth of a Group: 3 for "Group3", 0 for "Group"; empty for any other type.
std::optional<int> group_depth(std::string_view type);

}  // namespace hitopo

#endif
