// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks there were, one bit each.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_SEEN_RANKS_H
#define OMPI_MCA_HITOPO_CORE_RECORD_SEEN_RANKS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/record/rank_runs.h"

namespace hitopo {

class SeenRanks {
public:
    explicit SeenRanks(std::size_t num_processes) : words_((num_processes + 63) / 64, 0) {}

    // Gives one that was there before, if there is one.
    std::optional<std::uint32_t> add(const RankRun& run) {
        for (std::uint32_t i = 0; i < run.count;) {
            const std::uint32_t rank = run.first + i * run.stride;
            const std::uint32_t bit = rank % 64;
            const std::uint32_t count = run.stride == 1 ? std::min(64 - bit, run.count - i) : 1;
            const std::uint64_t bits = (~std::uint64_t{0} >> (64 - count)) << bit;
            std::uint64_t& word = words_[rank / 64];
            if ((word & bits) != 0) {
                return rank + trailing_zeros((word & bits) >> bit);
            }
            word |= bits;
            i += count;
        }
        return std::nullopt;
    }

    // The lowest of that many processes that was not there; as many if all were.
    std::uint32_t lowest_missing(std::size_t num_processes) const {
        const auto word =
            std::find_if(words_.begin(), words_.end(), [](std::uint64_t w) { return ~w != 0; });
        const auto before = static_cast<std::uint32_t>(word - words_.begin()) * 64;
        const std::uint32_t missing = word == words_.end() ? before : before + trailing_zeros(~*word);
        return std::min(missing, static_cast<std::uint32_t>(num_processes));
    }

private:
    // bits: not 0.
    static std::uint32_t trailing_zeros(std::uint64_t bits) {
        std::uint32_t count = 0;
        for (; (bits & 1) == 0; bits >>= 1) {
            ++count;
        }
        return count;
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace hitopo

#endif
