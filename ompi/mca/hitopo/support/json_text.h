// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// JSON that a program printed or a service answered: any bytes, read without an exception. Header only,
// since components share no C++ symbols.
#ifndef OMPI_MCA_HITOPO_SUPPORT_JSON_TEXT_H
#define OMPI_MCA_HITOPO_SUPPORT_JSON_TEXT_H

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {

// is_discarded() where it is no JSON. What is nested deeper than 32 lists and objects is left out, and a
// byte order mark; bytes that are no UTF-8 become text, \xe9.
inline nlohmann::json parse_json(std::string_view text) {
    constexpr int kMaxDepth = 32;
    const auto keep = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        return depth <= kMaxDepth;
    };
    text = without_byte_order_mark(text);
    nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), keep, false);
    return json.is_discarded() ? nlohmann::json::parse(as_utf8(text, R"(\\)"), keep, false) : json;
}

// Bytes of its texts that are no UTF-8 become \xe9, too.
template <class Json>
void make_utf8(Json& json) {
    if (json.is_string()) {
        json = as_utf8(json.template get_ref<const std::string&>());
    } else if (json.is_structured()) {
        std::for_each(json.begin(), json.end(), make_utf8<Json>);
    }
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
