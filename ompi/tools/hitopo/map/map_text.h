// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_TOOLS_HITOPO_MAP_MAP_TEXT_H
#define OMPI_TOOLS_HITOPO_MAP_MAP_TEXT_H

#include <string>
#include <vector>

#include "ompi/tools/hitopo/map/places.h"

namespace hitopo::map {

// The shortest map (docs/levels.md) that places these hosts so: hosts of one place as ranges, and each
// value once or each place once, whichever is shorter. Names that all paths begin with are left away.
std::string to_map(std::vector<HostPlace> hosts);

}  // namespace hitopo::map

#endif
