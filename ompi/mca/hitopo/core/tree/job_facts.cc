// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/job_facts.h"

#include <algorithm>

namespace hitopo {

bool JobFacts::is_explicit(Level level) const {
    return level > kNode && std::any_of(places.begin(), places.end(), [=](const InnerPlace& place) {
               return !place.names[static_cast<std::size_t>(level)].empty();
           });
}

namespace {

bool has_word(std::string_view words, std::string_view wanted) {
    while (words.size() > wanted.size()) {
        const std::size_t end = std::min(words.find(' '), words.size() - 1);
        if (words.substr(0, end) == wanted && words[end] == ' ') {
            return true;
        }
        words.remove_prefix(end + 1);
    }
    return words == wanted;
}

}  // namespace

// Without memory of its own: all processes go by the answer, which must not depend on whether one has
// some.
LayerRanks ranks_of_layer(const JobFacts& facts, std::string_view layer) {
    LayerRanks ranks;
    for (const JobFacts::Layers& all : facts.layers) {
        std::optional<std::uint32_t>& lowest =
            has_word(all.layers, layer) ? ranks.present : ranks.missing;
        lowest = std::min(lowest.value_or(all.first_rank), all.first_rank);
    }
    return ranks;
}

}  // namespace hitopo
