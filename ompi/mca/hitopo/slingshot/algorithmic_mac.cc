// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/slingshot/slingshot.h"

namespace hitopo {
namespace {

constexpr int kGroupBits = 9;
constexpr int kSwitchBits = 5;
constexpr int kPortBits = 6;
constexpr int kPlaceBits = kGroupBits + kSwitchBits + kPortBits;
constexpr std::uint64_t kPrefix = 0x0200000;  // the bits above the place: 02:00:00:0

// mac = byte ":" byte ":" byte ":" byte ":" byte ":" byte,   byte = two hexadecimal digits
std::optional<std::uint64_t> parse_mac(std::string_view text) {
    const std::vector<std::string_view> bytes = split(text, ':');
    std::uint64_t address = 0;
    for (const std::string_view byte : bytes) {
        unsigned value = 0;
        const char* const end = byte.data() + byte.size();
        if (byte.size() != 2 || std::from_chars(byte.data(), end, value, 16).ptr != end) {
            return std::nullopt;
        }
        address = address << 8 | value;
    }
    return bytes.size() == 6 ? std::optional(address) : std::nullopt;
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
