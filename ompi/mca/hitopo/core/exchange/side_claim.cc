// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/side_claim.h"

#include <algorithm>
#include <tuple>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/cards.h"

namespace hitopo {
namespace {

// Adds it, or puts it in the place of a lesser one of its type.
void offer(SideClaim claim, SideClaims& best) {
    claim.is_for_node = false;
    const auto known = std::find_if(best.begin(), best.end(),
                                    [&](const SideClaim& other) { return other.type == claim.type; });
    if (known == best.end()) {
        best.push_back(claim);
    } else if (known->priority < claim.priority) {
        *known = claim;
    }
}

}  // namespace

std::string encode_side_claims(std::vector<SideOffer> offers) {
    std::stable_sort(offers.begin(), offers.end(), [](const SideOffer& a, const SideOffer& b) {
        return std::tie(a.answer->type, b.priority) < std::tie(b.answer->type, a.priority);
    });
    const std::string* latest = nullptr;  // type
    bool is_node_told = false;
    ByteWriter field;
    for (const SideOffer& offer : offers) {
        const bool is_best = latest == nullptr || *latest != offer.answer->type;
        is_node_told = is_node_told && !is_best;
        if (!is_best && (is_node_told || !offer.answer->is_for_node)) {
            continue;
        }
        latest = &offer.answer->type;
        is_node_told = offer.answer->is_for_node;
        field.put_short(offer.answer->type);
        field.put_signed(offer.answer->order);
        field.put_short(offer.component);
        field.put_signed(offer.priority);
        field.put_u8(offer.answer->is_for_node ? 1 : 0);
        ByteWriter value;
        value.put(offer.answer->value);
        field.put_short(value.bytes());
    }
    return field.take();
}

SideClaims decode_side_claims(std::string_view field, Names& names) {
    SideClaims claims;
    ByteReader reader(field);
    while (reader.num_left() > 0 && claims.size() < 2 * kMaxSideTypes) {
        SideClaim claim;
        const std::string_view type = reader.get_short();
        claim.order = static_cast<std::int32_t>(reader.get_signed());
        const std::string_view component = reader.get_short();
        claim.priority = static_cast<std::int32_t>(reader.get_signed());
        claim.is_for_node = reader.get_u8() != 0;
        const std::string_view value = reader.get_short();
        if (reader.has_failed()) {
            break;
        }
        claim.type = names.component(type);
        claim.component = names.component(component);
        claim.value = names.value(value);
        claims.push_back(claim);
    }
    return claims;
}

SideClaims claims_in_node(const SideClaims& own, const std::vector<const SideClaims*>& all) {
    SideClaims best;
    for (const SideClaim& claim : own) {
        offer(claim, best);
    }
    for (const SideClaims* claims : all) {
        for (const SideClaim& claim : *claims) {
            if (claim.is_for_node) {
                offer(claim, best);
            }
        }
    }
    std::sort(best.begin(), best.end(),
              [](const SideClaim& a, const SideClaim& b) { return a.type < b.type; });
    return best;
}

}  // namespace hitopo
