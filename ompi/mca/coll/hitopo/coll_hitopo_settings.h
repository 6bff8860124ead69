// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The MCA variables of the component, as text.
#ifndef MCA_COLL_HITOPO_SETTINGS_H
#define MCA_COLL_HITOPO_SETTINGS_H

#include <array>
#include <string_view>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/core/groups.h"

namespace hitopo::coll {

using Ranges = std::array<hitopo_coll_ranges_t, HITOPO_COLL_NUM_KINDS>;

// The ranges of coll_hitopo_serve, or of its default if it cannot be read. On one node, of short
// messages alone; without a shape yet, those of any.
Ranges read_ranges(std::string_view text, const Shape& shape);

}  // namespace hitopo::coll

#endif
