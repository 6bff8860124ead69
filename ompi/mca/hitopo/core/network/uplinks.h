// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Leaf switches and their islands, which follow from the switches one hop above. One process of each
// leaf switch finds its links and sends them to all others, and every process settles the same names and
// islands by itself.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_UPLINKS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_UPLINKS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"

namespace hitopo {

using Guids = std::vector<std::uint64_t>;

// ---- core/network/island_rule.cc ----

struct LeafSwitch {
    std::uint64_t guid = 0;
    std::vector<std::uint64_t>
        l2_switches;  // GUIDs of the switches above it, of which none is a leaf; ascending, distinct
};

struct Island {
    std::vector<std::uint64_t> l2_switches;  // of a leaf with all of its links; ascending
    std::vector<std::uint64_t> leaves;       // ascending, at least one
};

// Leaves with equal sets of L2 switches are one island. A leaf with a strict subset has lost links: it
// belongs to the largest sets that hold its own, there to the one that is least larger; where two are
// equally near, to none. All others, and those without any L2 switch, are islands of their own.
// `leaves` are distinct, in any order; the result is ordered by lowest leaf and the same for all orders.
std::vector<Island> derive_islands(const std::vector<LeafSwitch>& leaves);

// ---- core/network/uplinks.cc ----

// A leaf switch, and the uplinks that its leader found.
struct LedSwitch {
    std::string component;
    RawValue value;  // as processes give it
    Uplinks uplinks;
};

// Names are cut to kMaxUplinkNameBytes, and switches beyond kMaxUplinks are left out.
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
// among the leaves of that component, of which none is above another: where
// an identity in `switches` is hash_of(value) of one of them, it does not count. An island is shown as
// its name, or as its id where another island has that name too; one without any switch above it as its
// leaf. Equal for all orders of `leaves`.
std::vector<SettledSwitch> settle(const std::vector<LedSwitch>& leaves);

}  // namespace hitopo

#endif
