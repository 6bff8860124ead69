// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/json_member.h"

#include <fmt/format.h>

#include <stdexcept>

namespace hitopo::tool {
namespace {

// The parser keeps numbers without a sign as unsigned, so each is compared with one end of the range.
bool is_int(const Json& value) {
    using Limits = std::numeric_limits<int>;
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(Limits::max());
    }
    return value.is_number_integer() && value.get<std::int64_t>() >= Limits::min();
}

// The member, if it is; `fault` is what to say otherwise.
const Json& typed(const Json& object, const char* name, bool (Json::*is)() const, const char* fault) {
    const Json& value = member(object, name);
    if (!(value.*is)()) {
        throw std::invalid_argument(fmt::format("\"{}\" {}", name, fault));
    }
    return value;
}

}  // namespace

const Json& member(const Json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (found == object.end()) {
        throw std::invalid_argument(fmt::format("member \"{}\" is missing", name));
    }
    return *found;
}

std::string text_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_string, "is not a string").get<std::string>();
}

OptionalText optional_text_at(const Json& object, const char* name) {
    const bool is_empty = !object.is_object() || !object.contains(name) || object[name].is_null();
    return is_empty ? OptionalText() : text_at(object, name);
}

int to_int(const Json& value, const char* name, int smallest) {
    if (!is_int(value) || value.get<int>() < smallest) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a number, or out of range", name));
    }
    return value.get<int>();
}

int int_at(const Json& object, const char* name, int smallest) {
    return to_int(member(object, name), name, smallest);
}

std::uint64_t to_count(const Json& value, const char* name) {
    if (!value.is_number_unsigned()) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a number from 0 to 2^64 - 1", name));
    }
    return value.get<std::uint64_t>();
}

std::uint64_t count_at(const Json& object, const char* name) {
    return to_count(member(object, name), name);
}

bool bool_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_boolean, "is neither true nor false").get<bool>();
}

const Json& array_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_array, "is not an array");
}

const Json& level_array_at(const Json& object, const char* name) {
    const Json& value = array_at(object, name);
    if (value.size() != kNumLevels) {
        throw std::invalid_argument(fmt::format("\"{}\" does not have {} entries", name, kNumLevels));
    }
    return value;
}

std::vector<std::string> texts_at(const Json& object, const char* name) {
    std::vector<std::string> texts;
    for (const Json& value : array_at(object, name)) {
        if (!value.is_string()) {
            throw std::invalid_argument(
                fmt::format("\"{}\" contains a value that is not a string", name));
        }
        texts.push_back(value.get<std::string>());
    }
    return texts;
}

}  // namespace hitopo::tool
