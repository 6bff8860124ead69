// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slingshot/algorithmic_mac.h"

#include <cstddef>
#include <cstdint>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr int kGroupBits = 9;
constexpr int kSwitchBits = 5;
constexpr int kPortBits = 6;
constexpr int kPlaceBits = kGroupBits + kSwitchBits + kPortBits;
constexpr std::uint64_t kPrefix = 0x0200000;  // what is above the place: 02:00:00:0

std::optional<unsigned> hex_digit(char c) {
    const char lower = to_lower(c);
    if (is_digit(lower)) {
        return static_cast<unsigned>(lower - '0');
    }
    return lower >= 'a' && lower <= 'f' ? std::optional(static_cast<unsigned>(lower - 'a' + 10))
                                        : std::nullopt;
}

// mac = byte ":" byte ":" byte ":" byte ":" byte ":" byte,   byte = two hexadecimal digits
std::optional<std::uint64_t> parse_mac(std::string_view text) {
    constexpr std::size_t kNumChars = 17;
    if (text.size() != kNumChars) {
        return std::nullopt;
    }
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < kNumChars; ++i) {
        const std::optional<unsigned> digit = hex_digit(text[i]);
        const bool is_separator = i % 3 == 2;
        if (is_separator ? text[i] != ':' : !digit) {
            return std::nullopt;
        }
        address = is_separator ? address : address << 4 | *digit;
    }
    return address;
}

unsigned lowest_bits(std::uint64_t number, int count) {
    return static_cast<unsigned>(number & ((std::uint64_t{1} << count) - 1));
}

}  // namespace

// prefix (28 bits), group (9), switch (5), port (6)
//
//   02:00:00:00:07:ea    group 0, switch 31, port 42
std::optional<AlgorithmicMac> parse_algorithmic_mac(std::string_view text) {
    const std::optional<std::uint64_t> address = parse_mac(text);
    if (!address || *address >> kPlaceBits != kPrefix) {
        return std::nullopt;
    }
    return AlgorithmicMac{lowest_bits(*address >> (kSwitchBits + kPortBits), kGroupBits),
                          lowest_bits(*address >> kPortBits, kSwitchBits),
                          lowest_bits(*address, kPortBits)};
}

}  // namespace hitopo
