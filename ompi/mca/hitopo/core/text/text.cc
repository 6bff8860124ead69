// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/text.h"

#include <algorithm>
#include <charconv>

namespace hitopo {

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return to_lower(x) == to_lower(y); });
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    return lower;
}

bool is_plain_uuid(std::string_view text) {
    constexpr std::size_t kNumDigits = 32;
    return text.size() == kNumDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t end = text.find(separator);
        fields.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return fields;
        }
        text.remove_prefix(end + 1);
    }
}

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

void add_item(std::string& list, std::string_view separator, std::string_view item) {
    list.append(list.empty() ? "" : separator).append(item);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
    }
}

std::string to_hex(std::uint64_t number) {
    constexpr std::size_t kDigits = 16;
    char digits[kDigits];
    const std::to_chars_result end = std::to_chars(digits, digits + kDigits, number, 16);
    const auto count = static_cast<std::size_t>(end.ptr - digits);
    return std::string(kDigits - count, '0').append(digits, count);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
        return std::nullopt;
    }
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

// ---- natural order ----

namespace {

// The run of digits at the start of `text`, leading zeros dropped; `text` moves past it.
std::string_view take_digits(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) {
        ++length;
    }
    std::string_view run = text.substr(0, length);
    text.remove_prefix(length);
    run.remove_prefix(std::min(run.find_first_not_of('0'), run.size()));
    return run;
}

int sign(bool is_less) { return is_less ? -1 : 1; }

}  // namespace

int compare_natural(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a;
    const std::string_view whole_b = b;
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view x = take_digits(a);
            const std::string_view y = take_digits(b);
            if (x.size() != y.size()) {
                return sign(x.size() < y.size());
            }
            if (const int order = x.compare(y)) {
                return order;
            }
        } else {
            if (a.front() != b.front()) {
                return sign(static_cast<unsigned char>(a.front()) <
                            static_cast<unsigned char>(b.front()));
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() != b.empty()) {
        return sign(a.empty());
    }
    return whole_a.compare(whole_b);
}

NaturalHead natural_head(std::string_view text) {
    constexpr std::size_t kMaxDigits = 18;
    NaturalHead head;
    const auto* const digit = std::find_if(text.begin(), text.end(), is_digit);
    head.stem = text.substr(0, static_cast<std::size_t>(digit - text.begin()));
    std::string_view rest = text.substr(head.stem.size());
    head.has_number = !rest.empty();
    if (head.has_number) {
        const std::string_view digits = take_digits(rest);
        head.has_number = digits.size() <= kMaxDigits;
        head.number = head.has_number ? parse_number(digits).value_or(0) : 0;
    }
    return head;
}

}  // namespace hitopo
