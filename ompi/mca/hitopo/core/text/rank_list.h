// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of numbers, as maps write ranks and Linux CPUs: "0-3,8,16-31:4".
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_RANK_LIST_H
#define OMPI_MCA_HITOPO_CORE_TEXT_RANK_LIST_H

#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

struct NumberRange {
    int first, last, stride;
};

using NumberRanges = std::vector<NumberRange>;

inline constexpr int kMaxRank = 2147483646;

// Ranges may have spaces around them. Errors have the column in `text`; kTooLarge: a number is above
// `max`, which is below 2147483647.
Result<NumberRanges> parse_ranges(std::string_view text, int max = kMaxRank);

bool has_number(const NumberRanges& ranges, int number);

// The numbers below `limit`, ascending, each once.
std::vector<std::uint32_t> numbers_below(const NumberRanges& ranges, std::uint32_t limit);

}  // namespace hitopo

#endif
