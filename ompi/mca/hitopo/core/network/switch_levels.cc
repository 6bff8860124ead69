// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/switch_levels.h"

#include <algorithm>
#include <utility>

namespace hitopo {
namespace {

bool is_empty(const Name& name) { return name.text().empty(); }

}  // namespace

void fill_switch_levels(std::vector<Name> names, RawAddress& levels, const Placeholders& unknown) {
    for (Name& name : names) {
        if (unknown.has(name.text())) {
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

void put_below(const std::string& topology, RawAddress& levels) {
    for (std::optional<RawValue>& value : levels) {
        if (value) {
            value->path.insert(value->path.begin(), Name(topology));
        }
    }
}

}  // namespace hitopo
