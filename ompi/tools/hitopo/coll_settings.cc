// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/coll_settings.h"

#include <algorithm>
#include <cstdlib>

namespace hitopo::tool {
namespace {

int number(const std::string& text) { return std::max(0, std::atoi(text.c_str())); }

}  // namespace

CollSettings coll_settings(const FrameworkDocument& framework) {
    CollSettings settings;
    for (const VariableInfo& variable : framework.variables) {
        const std::string value = variable.value.value_or("");
        if (variable.name == "coll_hitopo_priority") {
            settings.priority = std::atoi(value.c_str());
        } else if (variable.name == "coll_hitopo_leaders") {
            settings.num_leaders = std::max(1, number(value));
        } else if (variable.name == "coll_hitopo_share") {
            settings.share = number(value);
        } else if (variable.name == "coll_hitopo_serve") {
            settings.serve = value;
        } else if (variable.name == "coll_hitopo_links") {
            settings.links = value;
        }
    }
    return settings;
}

std::vector<std::int32_t> addresses_in(const TableDocument& table) {
    std::vector<std::int32_t> addresses;
    for (const RankRow& rank : table.ranks) {
        addresses.insert(addresses.end(), rank.address.begin(), rank.address.end());
    }
    return addresses;
}

std::vector<const std::int32_t*> rows_in(const std::vector<std::int32_t>& addresses) {
    std::vector<const std::int32_t*> rows;
    for (std::size_t at = 0; at < addresses.size(); at += kNumLevels) {
        rows.push_back(addresses.data() + at);
    }
    return rows;
}

}  // namespace hitopo::tool
