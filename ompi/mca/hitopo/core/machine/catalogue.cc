// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/catalogue.h"

#include <algorithm>
#include <array>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::array<std::string_view, 16> kTypes = {
    "Machine", "L2NUMA",   "Group",   "Package",  "Die",     "NUMANode", "L5Cache", "L4Cache",
    "L3Cache", "L3iCache", "L2Cache", "L2iCache", "L1Cache", "L1iCache", "Core",    "PU"};

constexpr int kStep = 1000;  // leaves room for the depths of Group
constexpr std::string_view kGroup = "Group";

int place_of(std::string_view type) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [type](std::string_view known) {
        return equals_ignoring_case(known, type);
    });
    return static_cast<int>(found - kTypes.begin()) * kStep;
}

}  // namespace

std::optional<int> group_depth(std::string_view type) {
    if (!equals_ignoring_case(type.substr(0, kGroup.size()), kGroup)) {
        return std::nullopt;
    }
    if (type.size() == kGroup.size()) {
        return 0;
    }
    const auto depth = parse_number(type.substr(kGroup.size()));
    return depth && *depth < kStep ? std::optional<int>(static_cast<int>(*depth)) : std::nullopt;
}

int catalogue_rank(std::string_view type) {
    const std::optional<int> depth = group_depth(type);
    return depth ? place_of(kGroup) + *depth : place_of(type);
}

bool is_catalogued(std::string_view type) {
    return catalogue_rank(type) < static_cast<int>(kTypes.size()) * kStep;
}

bool is_outer_type(std::string_view a, std::string_view b) {
    const int x = catalogue_rank(a);
    const int y = catalogue_rank(b);
    return x != y ? x < y : compare_natural(a, b) < 0;
}

}  // namespace hitopo
