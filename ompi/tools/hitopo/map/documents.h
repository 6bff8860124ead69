// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// YAML and JSON as values of nlohmann's, whichever a tool wrote.
#ifndef OMPI_TOOLS_HITOPO_MAP_DOCUMENTS_H
#define OMPI_TOOLS_HITOPO_MAP_DOCUMENTS_H

#include <initializer_list>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::map {

using Json = nlohmann::json;

struct Documents {
    std::vector<Json> values;
    std::vector<Error> left_out;  // a key that a map has twice; where the text breaks off
};

// All documents of YAML, or all values of JSON, one behind the other as a cloud's tool prints pages.
// Numbers and truth values become strings, null the empty one, bytes that are no UTF-8 text
// (\xe9). Of two fields with one key the first stands. Of a text that
// breaks off the whole entries stand. Errors have a line: where no entry is whole; lists and maps more
// than 64 deep; aliases that repeat more than 16 MiB; YAML without yaml-cpp.
Result<Documents> parse_documents(std::string_view text);

// Likewise the next value of JSON of a stream of `text`.
Result<Json> read_json_value(std::istream& stream, std::string_view text);

// The member's value, null where there is none; its text, "" where it has none.
const Json& member(const Json& value, const char* key);
std::string text_of(const Json& value, const std::string& key);
// The text of the first of the keys that has one.
std::string first_text(const Json& fields, std::initializer_list<std::string> keys);

}  // namespace hitopo::map

#endif
