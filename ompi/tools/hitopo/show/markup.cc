// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/markup.h"

namespace hitopo::tool {
namespace {

std::string_view replacement_of(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

}  // namespace

std::string escape_xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const std::string_view replacement = replacement_of(c);
        replacement.empty() ? out += c : out += replacement;
    }
    return out;
}

}  // namespace hitopo::tool
