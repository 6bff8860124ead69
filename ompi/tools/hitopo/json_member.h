// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Members of JSON objects by name and type. These functions throw std::invalid_argument with what is
// wrong where the member is missing or something else: their callers turn that into an Error.
#ifndef OMPI_TOOLS_HITOPO_JSON_MEMBER_H
#define OMPI_TOOLS_HITOPO_JSON_MEMBER_H

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

const Json& member(const Json& object, const char* name);
const Json& array_at(const Json& object, const char* name);
const Json& level_array_at(const Json& object, const char* name);  // of kNumLevels entries
std::string text_at(const Json& object, const char* name);
std::vector<std::string> texts_at(const Json& object, const char* name);
bool bool_at(const Json& object, const char* name);

// What may be null may be missing, too.
OptionalText optional_text_at(const Json& object, const char* name);

// A number itself; `name` is for the message.
int to_int(const Json& value, const char* name, int smallest = std::numeric_limits<int>::min());
int int_at(const Json& object, const char* name, int smallest = std::numeric_limits<int>::min());

// 0 .. 2^64 - 1.
std::uint64_t to_count(const Json& value, const char* name);
std::uint64_t count_at(const Json& object, const char* name);

template <class T>
std::vector<T> list_at(const Json& object, const char* name, T (*read)(const Json&)) {
    std::vector<T> list;
    for (const Json& value : array_at(object, name)) {
        list.push_back(read(value));
    }
    return list;
}

}  // namespace hitopo::tool

#endif
