// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/rank_list.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// `max` + 1 stands for all above it.
std::optional<int> number_in(std::string_view text, int max) {
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
        return std::nullopt;
    }
    const std::uint64_t limit = static_cast<std::uint64_t>(max) + 1;
    return static_cast<int>(std::min(parse_number(text).value_or(limit), limit));
}

}  // namespace

// list = range { "," range }     range = number [ "-" number [ ":" stride ] ]
//
//   0-3,8,16-31:4
Result<NumberRanges> parse_ranges(std::string_view text, int max) {
    NumberRanges ranges;
    for (const std::string_view field : split(text, ',')) {
        const std::string_view piece = trim(field);
        const auto error = [&](Errc code, const std::string& message) {
            return Error{code,    std::string(piece),
                         message, "",
                         0,       static_cast<int>(piece.data() - text.data()) + 1};
        };
        const std::size_t dash = piece.find('-'), colon = std::min(piece.find(':'), piece.size());
        const bool has_dash = dash < colon;
        const auto first = number_in(piece.substr(0, has_dash ? dash : piece.size()), max);
        const auto last = has_dash ? number_in(piece.substr(dash + 1, colon - dash - 1), max) : first;
        const auto stride = colon < piece.size() ? number_in(piece.substr(colon + 1), max) : 1;
        if (!first || !last || !stride || *stride == 0 || *last < *first) {
            return error(Errc::kMalformed,
                         "this is not a number or an ascending range; write a list as in 0-3,8,16-31:4");
        }
        if (*last > max || *stride > max) {
            return error(Errc::kTooLarge,
                         "a number is over the limit; write numbers up to " + std::to_string(max));
        }
        ranges.push_back({*first, *last, *stride});
    }
    return ranges;
}

bool has_number(const NumberRanges& ranges, int number) {
    return std::any_of(ranges.begin(), ranges.end(), [number](const NumberRange& range) {
        return number >= range.first && number <= range.last &&
               (number - range.first) % range.stride == 0;
    });
}

std::vector<std::uint32_t> numbers_below(const NumberRanges& ranges, std::uint32_t limit) {
    std::vector<std::uint32_t> numbers;
    for (const NumberRange& range : ranges) {
        for (std::int64_t i = range.first; i <= range.last && i < limit; i += range.stride) {
            numbers.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return distinct(std::move(numbers));
}

}  // namespace hitopo
