// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A YAML or JSON document as plain data, whoever parsed it.
#ifndef OMPI_MCA_HITOPO_CORE_YAML_VALUE_H
#define OMPI_MCA_HITOPO_CORE_YAML_VALUE_H

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/result.h"

namespace hitopo {

struct YamlValue {
    enum class Kind { kText, kList, kMap };

    Kind kind = Kind::kText;
    std::string text;                                       // kText: of a string, number or truth value
    std::vector<YamlValue> items;                           // kList
    std::vector<std::pair<std::string, YamlValue>> fields;  // kMap, in the order written
    int line = 0;                                           // where it begins, 1-based
    int column = 0;

    bool is_list() const { return kind == Kind::kList; }
    bool is_map() const { return kind == Kind::kMap; }

    // A map's value of that key; NULL if there is none.
    const YamlValue* find(std::string_view key) const {
        const auto field = std::find_if(fields.begin(), fields.end(),
                                        [key](const auto& each) { return each.first == key; });
        return field == fields.end() ? nullptr : &field->second;
    }

    // The text of a map's value; "" if there is none.
    std::string_view text_of(std::string_view key) const {
        const YamlValue* value = find(key);
        return value == nullptr ? std::string_view() : std::string_view(value->text);
    }
};

// Parses all documents of a text. Errors have line and column, and no file.
using YamlParser = std::function<Result<std::vector<YamlValue>>(const std::string& text)>;

}  // namespace hitopo

#endif
