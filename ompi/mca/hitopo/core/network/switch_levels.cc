// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/switch_levels.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

bool is_empty(const Name& name) { return name.text().empty(); }

}  // namespace

void fill_switch_levels(std::vector<Name> names, RawAddress& levels) {
    for (Name& name : names) {
        if (is_placeholder(name.text())) {
            name = Name("");
        }
    }
    if (!is_empty(names.back())) {
        levels[kSwitch] = names.back();
    }
    names.pop_back();
    names.erase(std::remove_if(names.begin(), names.end(), is_empty), names.end());
    if (!names.empty()) {
        levels[kIsland] = std::move(names);
    }
}

bool is_placeholder(std::string_view name) {
    constexpr std::string_view kEnd = ".unknown";
    return equals_ignoring_case(name, "no-topology") || equals_ignoring_case(name, "unknown") ||
           (name.size() > kEnd.size() &&
            equals_ignoring_case(name.substr(name.size() - kEnd.size()), kEnd));
}

void put_below(const std::string& topology, RawAddress& levels) {
    for (std::optional<RawValue>& value : levels) {
        if (value) {
            value->path.insert(value->path.begin(), Name(topology));
        }
    }
}

}  // namespace hitopo
