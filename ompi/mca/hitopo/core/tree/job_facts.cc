// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/job_facts.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hitopo {

void JobFacts::order_places() {
    const auto key = [this](std::uint32_t place) {
        const Placement& own = places[place].placement;
        return std::make_tuple(own[kSocket], own[kCore], static_cast<std::uint32_t>(own[kHwThread]),
                               own[kCore] < 0 ? place : 0);
    };
    std::vector<std::uint32_t> sorted(places.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    place_order.assign(places.size(), 0);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        place_order[sorted[i]] =
            place_order[sorted[i - 1]] + (key(sorted[i - 1]) < key(sorted[i]) ? 1 : 0);
    }
}

bool JobFacts::is_explicit(Level level) const {
    return level > kNode && std::any_of(places.begin(), places.end(), [=](const InnerPlace& place) {
               return !place.names[static_cast<std::size_t>(level)].empty();
           });
}

// Without memory of its own: all processes go by the answer, which must not depend on whether one has
// some.
WordRanks ranks_of_word(const JobFacts& facts, std::string_view key) {
    WordRanks ranks;
    const auto take = [](std::optional<std::uint32_t>& lowest, std::uint32_t rank) {
        lowest = std::min(lowest.value_or(rank), rank);
    };
    for (const JobFacts::Word& word : facts.words) {
        if (word.key == key) {
            take(word.value ? ranks.saying : ranks.silent, word.lowest_rank);
            if (word.lowest_rank != 0) {
                take(ranks.differing, word.lowest_rank);
            }
        }
    }
    if (!ranks.saying) {
        ranks.silent = 0;
    }
    return ranks;
}

}  // namespace hitopo
