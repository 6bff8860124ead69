// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/map_words.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

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
            return Error{Errc::kMalformed,
                         std::string(line.substr(open)),
                         "this quote is not closed; write '\"' after the value",
                         "",
                         0,
                         static_cast<int>(open) + 1};
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
        return Error{Errc::kMalformed,
                     std::string(line.substr(0, zero)),
                     "the map contains a zero byte; save it as plain text",
                     "",
                     0,
                     static_cast<int>(zero) + 1};
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

}  // namespace hitopo
