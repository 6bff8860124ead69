// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Small helpers over bytes, independent of the locale.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_TEXT_H
#define OMPI_MCA_HITOPO_CORE_TEXT_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A setting is NULL where its variable is not set.
inline std::string text_or_empty(const char* setting) { return setting != nullptr ? setting : ""; }

bool equals_ignoring_case(std::string_view a, std::string_view b);

std::string in_lower_case(std::string_view text);

// Whether it is a UUID as HiTopo writes them: 32 hexadecimal digits in lower case, without dashes.
bool is_plain_uuid(std::string_view text);

// `text` without leading and trailing spaces, tabs and carriage returns.
std::string_view trim(std::string_view text);

// "a..b" split at '.' is {"a", "", "b"}: empty fields are kept; "" is {""}.
std::vector<std::string_view> split(std::string_view text, char separator);

// The first line of `rest`, which loses it and its '\n'.
std::string_view take_line(std::string_view& rest);

// Appends an item, after a separator if the list has items: "a, b".
void add_item(std::string& list, std::string_view separator, std::string_view item);

// Appends a name that is not empty and not in the list.
void add_once(std::vector<std::string>& names, const std::string& name);

// 16 hexadecimal digits.
std::string to_hex(std::uint64_t number);

// Digits only, no sign, no overflow; otherwise empty.
std::optional<std::uint64_t> parse_number(std::string_view text);

// Natural order: runs of digits compare as numbers, all else byte by byte (node4 < node12); names
// that tie (n4, n04) fall back to their bytes. Negative, zero, positive; zero only if equal.
int compare_natural(std::string_view a, std::string_view b);

// The text before the first digit, and the number that follows. Of two texts with equal stems and
// different numbers the one with the lower number comes first.
struct NaturalHead {
    std::string_view stem;
    std::uint64_t number = 0;
    bool has_number = false;  // and it is below 10^18
};
NaturalHead natural_head(std::string_view text);  // within text

}  // namespace hitopo

#endif
