// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// JSON that a program printed or a service answered: any bytes, read without an exception. Header only,
// since components share no C++ symbols.
#ifndef OMPI_MCA_HITOPO_SUPPORT_JSON_TEXT_H
#define OMPI_MCA_HITOPO_SUPPORT_JSON_TEXT_H

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {

// JSON is UTF-8: bytes that are none become \\xe9, of which it makes \xe9.
inline std::string readable_json(std::string_view text) {
    std::string readable;
    while (!text.empty()) {
        const bool is_ascii = static_cast<unsigned char>(text.front()) < 0x80;
        std::size_t size = 1;
        while (size < text.size() && (static_cast<unsigned char>(text[size]) < 0x80) == is_ascii) {
            ++size;
        }
        for (const char c :
             is_ascii ? std::string(text.substr(0, size)) : safe(text.substr(0, size), Charset::kUtf8)) {
            readable += !is_ascii && c == '\\' ? "\\\\" : std::string(1, c);
        }
        text.remove_prefix(size);
    }
    return readable;
}

// is_discarded() where it is no JSON. What is nested deeper than 32 lists and objects is left out, and a
// byte order mark.
inline nlohmann::json parse_json(std::string_view text) {
    constexpr int kMaxDepth = 32;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const auto keep = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        return depth <= kMaxDepth;
    };
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        text.remove_prefix(kByteOrderMark.size());
    }
    nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), keep, false);
    return json.is_discarded() ? nlohmann::json::parse(readable_json(text), keep, false) : json;
}

// An object's value of that key; null where `object` is none, or has none.
inline const nlohmann::json& json_member(const nlohmann::json& object, const char* key) {
    static const nlohmann::json null;
    const auto found = object.find(key);
    return object.is_object() && found != object.end() ? *found : null;
}

// Its text; "" where it is no string. Without what follows a NUL, which C cannot tell.
inline std::string json_text(const nlohmann::json& object, const char* key) {
    const nlohmann::json& value = json_member(object, key);
    return value.is_string() ? value.get_ref<const std::string&>().c_str() : "";
}

}  // namespace hitopo

#endif
