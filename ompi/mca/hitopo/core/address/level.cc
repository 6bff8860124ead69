// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/level.h"

#include <array>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::array<std::string_view, kNumLevels> kNames = {"cluster", "island", "switch", "node",
                                                             "l2numa",  "socket", "core",   "hwthread"};
constexpr std::array<std::string_view, kNumLevels> kTypes = {"Cluster", "Island", "Switch", "Node",
                                                             "L2NUMA",  "Socket", "Core",   "HWThread"};

}  // namespace

std::string_view level_name(Level level) { return kNames[level]; }
std::string_view level_type(Level level) { return kTypes[level]; }

std::optional<Level> parse_level(std::string_view name) {
    for (int i = 0; i < kNumLevels; ++i) {
        if (equals_ignoring_case(name, kNames[i])) {
            return static_cast<Level>(i);
        }
    }
    return std::nullopt;
}

}  // namespace hitopo
