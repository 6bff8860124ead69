// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo's data as JSON documents: hitopo_base_api.h; docs/json.md is their schema. One file for each.
#ifndef OMPI_MCA_HITOPO_BASE_DESCRIBE_DESCRIBE_H
#define OMPI_MCA_HITOPO_BASE_DESCRIBE_DESCRIBE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

using Json = nlohmann::ordered_json;

inline Json document() {
    constexpr int kSchema = 1;
    return {{"hitopo", kHitopoVersion}, {"schema", kSchema}};
}

// Bytes of its texts that are no UTF-8 become \xe9.
inline void make_utf8(Json& json) {
    if (json.is_string()) {
        json = as_utf8(json.get_ref<const std::string&>());
    } else if (json.is_structured()) {
        std::for_each(json.begin(), json.end(), make_utf8);
    }
}

// NULL if memory is short, or describe() gives null. Names may hold any bytes, JSON may not.
template <class Describe>
char* to_text(Describe&& describe) {
    char* text = nullptr;
    (void)guarded([&] {
        Json json = describe();
        make_utf8(json);
        if (!json.is_null()) {
            text = strdup(json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
        }
    });
    return text;
}

// An array of describe(one) for each one of the range.
template <class Range, class Describe>
Json array_of(const Range& range, Describe describe) {
    Json all = Json::array();
    for (const auto& one : range) {
        all.push_back(describe(one));
    }
    return all;
}

inline constexpr std::array<Level, kNumLevels> kAllLevels = {kCluster, kIsland, kSwitch, kNode,
                                                             kL2Numa,  kSocket, kCore,   kHwThread};

inline Json string_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// The value of a process at a level, as people see it, and the component that gives it; null and ""
// where it has none.
struct Filled {
    std::string component;
    Json value;
};
Filled filled(const AddressTree& tree, std::uint32_t rank, Level level);

// The value of the process for a type that crosses nodes; NULL if it has none.
const NamedValue* side_value(const AddressTree& tree, std::uint32_t rank, std::size_t type);

}  // namespace hitopo

#endif
