// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/placeholders.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return equals_ignoring_case(name, pattern);
    }
    const std::string_view begin = pattern.substr(0, star);
    const std::string_view end = pattern.substr(star + 1);
    return name.size() >= begin.size() + end.size() &&
           equals_ignoring_case(name.substr(0, begin.size()), begin) &&
           equals_ignoring_case(name.substr(name.size() - end.size()), end);
}

}  // namespace

Placeholders::Placeholders(std::string_view list) {
    for (const std::string_view pattern : split(list, ',')) {
        if (!trim(pattern).empty()) {
            patterns_.emplace_back(trim(pattern));
        }
    }
}

bool Placeholders::has(std::string_view name) const {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [name](const std::string& pattern) { return matches(pattern, name); });
}

}  // namespace hitopo
