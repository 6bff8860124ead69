// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/map_shape.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMaxRanks = std::numeric_limits<int>::max();

}  // namespace

// shape = "shape" LEVEL ":" COUNT { LEVEL ":" COUNT } [ "ranks" ":" COUNT ]
//
//   shape island:2 switch:2 node:2 ranks:4
Result<MapShape> MapShape::parse(const std::vector<MapWord>& words) {
    MapShape shape;
    bool is_complete = false;
    for (const MapWord& word : words) {
        const std::string_view text = word.text;
        const std::size_t colon = text.find(':');
        const std::string_view name = text.substr(0, colon);
        const std::optional<Level> level = parse_level(name);
        const std::optional<std::uint64_t> count =
            parse_number(text.substr(colon == std::string_view::npos ? text.size() : colon + 1));
        if (is_complete || (!level && name != "ranks")) {
            return word.malformed(
                "this is not a shape; write LEVEL:COUNT .. and ranks:COUNT at the end, such as island:2 "
                "node:4 ranks:2");
        }
        if (!count || *count == 0 || *count > kMaxRanks / static_cast<std::uint64_t>(shape.size_)) {
            return word.malformed(
                "this count is invalid; write 1 or more after ':', for at most 2147483647 ranks in all");
        }
        shape.size_ *= static_cast<int>(*count);
        if (!level) {
            is_complete = true;
        } else if (!shape.counts_.empty() && *level <= shape.counts_.back().level) {
            return word.malformed(
                "this level is out of order; write each level once, outermost first: cluster, island, "
                "switch, node, l2numa, socket, core, hwthread");
        } else {
            shape.counts_.push_back({*level, static_cast<int>(*count)});
        }
    }
    return shape;
}

RawAddress MapShape::address_of(int rank) const {
    RawAddress address;
    if (rank < 0 || rank >= size_) {
        return address;
    }
    std::string place;
    int num_ranks = size_;
    for (const auto& [level, count] : counts_) {
        num_ranks /= count;
        const int index = rank / num_ranks % count;
        place += level_name(level).front() + std::to_string(index);
        address[level] = level <= kNode ? Name(place) : Name::number(static_cast<std::uint64_t>(index));
    }
    return address;
}

}  // namespace hitopo
