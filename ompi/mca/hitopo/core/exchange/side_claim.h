// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process says of side resources (core/address/side_type.h), and what that comes to for
// processes of one node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_SIDE_CLAIM_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_SIDE_CLAIM_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/address/side_type.h"

namespace hitopo {

class Names;

// What a component answers for one type of side resource.
struct SideAnswer {
    std::string type;    // URI: "nvlink://Domain"
    std::int32_t order;  // among the types: smaller is further out
    RawValue value;      // equal where processes share one, in whatever nodes they are
    bool is_for_node;    // it counts for all processes of the node, of which one asked
};

// Why it told that type, or could not: for people, never sent.
struct SideReason {
    std::string type;
    std::string text;
};

struct SideOffer {
    const SideAnswer* answer;
    std::string component;
    std::int32_t priority;
};
// The field of a node card: of each type the offer of the highest priority, and of those that count for
// the node, by type; "" for none.
std::string encode_side_claims(std::vector<SideOffer> offers);

// An offer with a number in place of each name: of Names.
struct SideClaim {
    std::uint32_t type = 0;
    std::int32_t order = 0;
    std::uint32_t component = 0;
    std::int32_t priority = 0;
    std::uint32_t value = 0;
    bool is_for_node = false;

    friend bool operator==(const SideClaim& a, const SideClaim& b) {
        return a.type == b.type && a.order == b.order && a.component == b.component &&
               a.priority == b.priority && a.value == b.value && a.is_for_node == b.is_for_node;
    }
};
using SideClaims = std::vector<SideClaim>;
// As encoded: a type once, or twice where one of the two counts for the node. Any bytes.
SideClaims decode_side_claims(std::string_view field, Names& names);

// What holds for processes that say `own` in a node whose processes say `all` of these: of each type the
// claim of the highest priority among its own and those that count for the node; where two are equal,
// its own, then the first. Each type once, in one order for all, as if all were its own.
SideClaims claims_in_node(const SideClaims& own, const std::vector<const SideClaims*>& all);

}  // namespace hitopo

#endif
