// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the library's documents say of collectives by the table.
#ifndef OMPI_TOOLS_HITOPO_COLL_SETTINGS_H
#define OMPI_TOOLS_HITOPO_COLL_SETTINGS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// The variables coll_hitopo_*, or their defaults where there is no such component.
struct CollSettings {
    int priority = -1;
    int num_leaders = 16;
    int share = 8;             // coll_hitopo_share
    std::string serve, links;  // as typed
};

CollSettings coll_settings(const FrameworkDocument& framework);

// Eight numbers a rank, one rank behind the other.
std::vector<std::int32_t> addresses_in(const TableDocument& table);

// Each rank's among them.
std::vector<const std::int32_t*> rows_in(const std::vector<std::int32_t>& addresses);

}  // namespace hitopo::tool

#endif
