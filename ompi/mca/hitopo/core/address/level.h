// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The eight levels of an address, outermost first; and the resource types that are none.
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

// "Cluster", "Island", "Switch", "Node", "L2NUMA", "Socket", "Core", "HWThread": the names behind
// "hitopo://" in resource types.
std::string_view level_type(Level level);

// Case-insensitive; whole words only. Empty if `name` is no level.
std::optional<Level> parse_level(std::string_view name);

// The URI of a side resource's type: a scheme and a name of letters, digits, '+', '-', '.' and '_' with
// "://" between, at most 64 bytes; not of the schemes hwloc, hitopo, mpi and slurm, which have meanings
// of their own.
bool is_side_type(std::string_view uri);

}  // namespace hitopo

#endif
