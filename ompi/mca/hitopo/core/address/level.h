// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The eight levels of an address, outermost first.
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_LEVEL_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_LEVEL_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hitopo {

// 0 to 7: the numbers of hitopo_level.h.
enum Level : int { kCluster, kIsland, kSwitch, kNode, kL2Numa, kSocket, kCore, kHwThread };
inline constexpr int kNumLevels = 8;

using Address = std::array<std::int32_t, kNumLevels>;  // by level

// "cluster", "island", "switch", "node", "l2numa", "socket", "core", "hwthread": the words of MCA
// variables, maps and output.
std::string_view level_name(Level level);

// "Cluster", "Island", "Switch", "Node", "L2NUMA", "Socket", "Core", "HWThread": what follows
// "hitopo://" in a resource type.
std::string_view level_type(Level level);

// Case-insensitive; whole words only. Empty if `name` is no level.
std::optional<Level> parse_level(std::string_view name);

}  // namespace hitopo

#endif
