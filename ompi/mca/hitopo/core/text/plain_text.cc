// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/plain_text.h"

namespace hitopo {
namespace {

// One of the first characters is written in several bytes, of which some are 0.
bool has_wide_characters(std::string_view text) {
    const std::string_view first = text.substr(0, 4);
    return first.size() > 1 && first.find('\0') != std::string_view::npos &&
           first.find_first_not_of('\0') != std::string_view::npos;
}

}  // namespace

Result<std::string> plain_text(Result<std::string> text, const std::string& path) {
    if (!text) {
        return text;
    }
    const std::string_view mark = std::string_view(*text).substr(0, 2);
    if (mark == "\xFF\xFE" || mark == "\xFE\xFF" || has_wide_characters(*text)) {
        return Error{Errc::kMalformed,
                     "UTF-16",
                     "the file is in UTF-16 or UTF-32; save it as UTF-8, for example with iconv -f "
                     "UTF-16 -t UTF-8",
                     path,
                     1,
                     1};
    }
    text->erase(0, text->size() - without_byte_order_mark(*text).size());
    return text;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

}  // namespace hitopo
