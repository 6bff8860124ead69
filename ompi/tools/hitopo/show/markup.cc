// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/markup.h"

#include "ompi/mca/hitopo/core/text/safe_text.h"

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
        case '\\':
            return "\\\\";  // Graphviz would replace \N and \G by names of the graph
        default:
            return {};
    }
}

}  // namespace

std::string safe_markup(std::string_view text, std::size_t max_chars) {
    std::string out;
    for (const char c : shortened(safe(text, Charset::kUtf8), max_chars)) {
        const std::string_view replacement = replacement_of(c);
        replacement.empty() ? out += c : out += replacement;
    }
    return out;
}

}  // namespace hitopo::tool
