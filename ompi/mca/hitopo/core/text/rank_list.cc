// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/rank_list.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

std::optional<int> parse_rank(std::string_view text) {
    const std::optional<std::uint64_t> number = parse_number(text);
    if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

Error malformed(std::string_view value, const char* message) {
    return {Errc::kMalformed, std::string(value), message, "", 0, 1};
}

}  // namespace

// range = rank [ "-" rank [ ":" stride ] ]
//
//   16-31:4      is 16, 20, 24, 28
Result<RankList::Range> RankList::parse_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const std::size_t colon = text.find(':');
    const bool has_stride = colon != std::string_view::npos;
    const std::string_view bounds = text.substr(0, colon);
    const std::optional<int> first = parse_rank(bounds.substr(0, dash));
    const std::optional<int> last = dash < bounds.size() ? parse_rank(bounds.substr(dash + 1)) : first;
    const std::optional<int> stride = has_stride ? parse_rank(text.substr(colon + 1)) : 1;
    if (!first || !last || !stride || (has_stride && dash >= bounds.size())) {
        return malformed(text, "this is not a list of ranks; write it as in 0-3,8,16-31:4");
    }
    if (*first > *last) {
        return malformed(text, "this range is descending; write the smaller rank first");
    }
    if (*stride == 0) {
        return malformed(text, "a stride cannot be 0; write 1 or more after ':'");
    }
    return Range{*first, *last, *stride};
}

// list = range { "," range }
//
//   0-3,8,16-31:4
Result<RankList> RankList::parse(std::string_view text) {
    RankList list;
    for (const std::string_view piece : split(text, ',')) {
        const Result<Range> range = parse_range(piece);
        if (!range) {
            Error error = range.error();
            error.column += static_cast<int>(piece.data() - text.data());
            return error;
        }
        list.ranges_.push_back(*range);
    }
    return list;
}

bool RankList::contains(int rank) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [rank](const Range& range) {
        return rank >= range.first && rank <= range.last && (rank - range.first) % range.stride == 0;
    });
}

std::vector<std::uint32_t> RankList::below(std::uint32_t limit) const {
    std::vector<std::uint32_t> ranks;
    for (const Range& range : ranges_) {
        for (std::int64_t rank = range.first; rank <= range.last && rank < limit; rank += range.stride) {
            ranks.push_back(static_cast<std::uint32_t>(rank));
        }
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

}  // namespace hitopo
