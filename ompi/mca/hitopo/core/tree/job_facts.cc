// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/job_facts.h"

#include <algorithm>

namespace hitopo {

bool JobFacts::is_explicit(Level level) const {
    return level > kNode && std::any_of(places.begin(), places.end(), [=](const InnerPlace& place) {
               return !place.names[static_cast<std::size_t>(level)].empty();
           });
}

// Without memory of its own: all processes go by the answer, which must not depend on whether one has
// some.
SettingRanks ranks_of_setting(const JobFacts& facts, std::string_view key) {
    SettingRanks ranks;
    for (const JobFacts::SettingsOf& own : facts.settings) {
        const std::optional<std::string_view> value = value_of(own.settings, key);
        std::optional<std::uint32_t>& lowest = value ? ranks.having : ranks.lacking;
        lowest = lowest.value_or(own.lowest_rank);
        if (!ranks.differing && value != value_of(facts.settings[0].settings, key)) {
            ranks.differing = own.lowest_rank;
        }
    }
    return ranks;
}

}  // namespace hitopo
