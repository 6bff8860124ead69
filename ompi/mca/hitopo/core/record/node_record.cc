// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/node_record.h"

#include <algorithm>

namespace hitopo {
std::optional<std::string_view> value_of(const AgreedSettings& settings, std::string_view key) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const auto& setting) { return setting.first == key; });
    return found == settings.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::uint32_t> first_not_once(const std::vector<NodeRecord>& records,
                                            std::size_t num_processes) {
    std::vector<bool> is_there(num_processes, false);
    std::optional<std::uint32_t> twice;
    for (const NodeRecord& record : records) {
        record.ranks.for_each([&](std::uint32_t rank) {
            if (is_there[rank] && rank < twice.value_or(UINT32_MAX)) {
                twice = rank;
            }
            is_there[rank] = true;
        });
    }
    const auto missing = std::find(is_there.begin(), is_there.end(), false);
    return twice || missing == is_there.end()
               ? twice
               : std::optional(static_cast<std::uint32_t>(missing - is_there.begin()));
}

}  // namespace hitopo
