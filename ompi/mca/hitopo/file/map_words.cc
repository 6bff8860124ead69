// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/map_file.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMaxRanks = std::numeric_limits<int>::max();

// Moves `at` behind the closing quote; false if there is none. `at` is behind the opening one.
bool take_quoted(std::string_view line, std::size_t& at, std::string& text) {
    for (; at < line.size(); ++at) {
        if (line[at] == '"') {
            ++at;
            return true;
        }
        if (line[at] == '\\' && at + 1 < line.size()) {
            ++at;
        }
        text += line[at];
    }
    return false;
}

// word = { character | '"' { character | '\' character } '"' }
Result<MapWord> take_word(std::string_view line, std::size_t& at) {
    MapWord word;
    word.column = static_cast<int>(at) + 1;
    while (at < line.size() && !is_space(line[at])) {
        if (line[at] != '"') {
            word.text += line[at++];
            continue;
        }
        word.is_quoted = true;
        const std::size_t open = at++;
        if (!take_quoted(line, at, word.text)) {
            return malformed_at(line.substr(open), open,
                                "this quote is not closed; write '\"' after the value");
        }
    }
    return word;
}

}  // namespace

// line = { word } [ "#" comment ]
//
//   host node[1-16] switch="rack 7"   # the old racks
Result<std::vector<MapWord>> split_map_words(std::string_view line) {
    const std::size_t zero = line.find('\0');
    if (zero != std::string_view::npos) {
        return malformed_at(line.substr(0, zero), zero,
                            "the map contains a zero byte; save it as plain text");
    }
    std::vector<MapWord> words;
    for (std::size_t at = 0; at < line.size();) {
        if (is_space(line[at])) {
            ++at;
            continue;
        }
        if (line[at] == '#') {
            break;
        }
        Result<MapWord> word = take_word(line, at);
        if (!word) {
            return word.error();
        }
        words.push_back(std::move(*word));
    }
    return words;
}

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
