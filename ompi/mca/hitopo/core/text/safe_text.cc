// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/safe_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t num_bytes = 0;  // 0: not UTF-8
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The bytes that a sequence starting with `lead` has: 1 to 4; 0 if none starts so.
std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xc2 || lead > 0xf4) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_valid(std::uint32_t value, std::size_t num_bytes) {
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    return value >= kSmallest[num_bytes] && value <= 0x10ffff && !is_surrogate;
}

CodePoint first_code_point(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = sequence_length(lead);
    if (length == 1) {
        return {lead, 1};
    }
    if (length == 0 || length > text.size()) {
        return {};
    }
    std::uint32_t value = lead & (0x7fU >> length);
    for (const char c : text.substr(1, length - 1)) {
        if (!is_continuation(c)) {
            return {};
        }
        value = value << 6 | (static_cast<unsigned char>(c) & 0x3fU);
    }
    return is_valid(value, length) ? CodePoint{value, length} : CodePoint{};
}

// Controls, zero-width and direction-changing characters, and noncharacters (which XML forbids).
bool is_harmful(std::uint32_t value) {
    constexpr std::uint32_t kRanges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
                                            {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
                                            {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfdd0, 0xfdef},
                                            {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    return (value & 0xfffe) == 0xfffe ||
           std::any_of(std::begin(kRanges), std::end(kRanges),
                       [value](const auto& range) { return value >= range[0] && value <= range[1]; });
}

// At least two hexadecimal digits.
std::string digits_of(std::uint32_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (; value > 0 || digits.size() < 2; value >>= 4) {
        digits.insert(digits.begin(), kDigits[value & 0xfU]);
    }
    return digits;
}

std::string escaped(std::uint32_t value) {
    return value < 0x100 ? "\\x" + digits_of(value) : "\\u{" + digits_of(value) + "}";
}

}  // namespace

std::string safe(std::string_view text, Charset charset) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const std::size_t num_bytes = std::max<std::size_t>(point.num_bytes, 1);
        if (point.num_bytes == 0) {
            out += escaped(static_cast<unsigned char>(text.front()));
        } else if (is_harmful(point.value) || (charset == Charset::kAscii && point.value >= 0x80)) {
            out += escaped(point.value);
        } else {
            out += text.substr(0, num_bytes);
        }
        text.remove_prefix(num_bytes);
    }
    return out;
}

std::string as_utf8(std::string_view text, std::string_view backslash) {
    std::string out;
    while (!text.empty()) {
        const std::size_t num_bytes = first_code_point(text).num_bytes;
        if (num_bytes == 0) {
            out.append(backslash).append("x") += digits_of(static_cast<unsigned char>(text.front()));
        }
        out += text.substr(0, num_bytes);
        text.remove_prefix(std::max<std::size_t>(num_bytes, 1));
    }
    return out;
}

std::string line_of(const Error& error) {
    std::string line = error.position();
    add_item(line, ": ", error.value);
    line += error.variable.empty() ? "" : " (" + error.variable + ')';
    add_item(line, ": ", error.message);
    return "    " + safe(line, Charset::kAscii) + ".\n";
}

std::string shortened(const std::string& text, std::size_t max_chars) {
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        if (!is_continuation(text[end]) && seen++ == max_chars) {
            return text.substr(0, end) + "\u2026";
        }
    }
    return text;
}

std::size_t num_columns(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

// ---- byte order marks ----

namespace {

// One of the first characters is written in several bytes, of which some are 0.
bool has_wide_characters(std::string_view text) {
    const std::string_view first = text.substr(0, 4);
    return first.size() > 1 && first.find('\0') != std::string_view::npos &&
           first.find_first_not_of('\0') != std::string_view::npos;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
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

}  // namespace hitopo
