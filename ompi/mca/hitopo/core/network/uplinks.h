// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Leaf switches and their islands, where one process of each leaf switch found out what is linked to it
// and told all others: every process settles the same names and islands by itself.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_UPLINKS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_UPLINKS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"

namespace hitopo {

// A leaf switch, and what its leader said of it.
struct LedSwitch {
    std::string component;
    RawValue value;  // as processes give it
    Uplinks uplinks;
};

// Names are cut to kMaxUplinkNameBytes, and what is above kMaxUplinks switches is left out.
inline constexpr std::size_t kMaxUplinkNameBytes = 64;  // InfiniBand's node description
inline constexpr std::size_t kMaxUplinks = 1024;
std::string encode(const LedSwitch& led);
// Any bytes; empty where they make no sense.
std::optional<LedSwitch> decode_led_switch(std::string_view bytes);

struct SettledSwitch {
    RawValue value;
    RawValue island;
};

// For each of `leaves`, which are distinct and in any order: the value with the name in front and
// behind, if it has one that no other of the component's leaves has; and its island by derive_islands
// (core/network/island_rule.h) among the leaves of that component, of which none is above another: where
// an identity in `switches` is hash_of(value) of one of them, it does not count. An island is shown as
// its name, or as its id where another island has that name too; one without any switch above it as its
// leaf. Equal for all orders of `leaves`.
std::vector<SettledSwitch> settle(const std::vector<LedSwitch>& leaves);

}  // namespace hitopo

#endif
