// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_ADDRESS_H
#define OMPI_MCA_HITOPO_CORE_TREE_ADDRESS_H

#include <array>
#include <cstdint>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo {

inline constexpr std::int32_t kUnknown = -1;
using Address = std::array<std::int32_t, kNumLevels>;  // by level

}  // namespace hitopo

#endif
