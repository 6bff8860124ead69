// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/level.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::array<std::string_view, kNumLevels> kNames = {"cluster", "island", "switch", "node",
                                                             "l2numa",  "socket", "core",   "hwthread"};
constexpr std::array<std::string_view, kNumLevels> kTypes = {"Cluster", "Island", "Switch", "Node",
                                                             "L2NUMA",  "Socket", "Core",   "HWThread"};

constexpr std::size_t kMaxUri = 64;
constexpr std::string_view kSeparator = "://";
constexpr std::array<std::string_view, 4> kTakenSchemes = {"hwloc", "hitopo", "mpi", "slurm"};

bool is_word(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.' || c == '_';
    });
}

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

bool is_side_type(std::string_view uri) {
    const std::size_t end = uri.find(kSeparator);
    if (uri.size() > kMaxUri || end == std::string_view::npos) {
        return false;
    }
    const std::string_view scheme = uri.substr(0, end);
    const bool is_taken =
        std::any_of(kTakenSchemes.begin(), kTakenSchemes.end(),
                    [&](std::string_view taken) { return equals_ignoring_case(taken, scheme); });
    return !is_taken && is_word(scheme) && is_word(uri.substr(end + kSeparator.size()));
}

}  // namespace hitopo
