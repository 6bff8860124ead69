// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/side_claim.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/cards.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxUri = 64;
constexpr std::string_view kSeparator = "://";
constexpr std::array<std::string_view, 4> kTakenSchemes = {"hwloc", "hitopo", "mpi", "slurm"};

bool is_word(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
               c == '-' || c == '.' || c == '_';
    });
}

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

bool is_side_type(std::string_view uri) {
    const std::size_t end = uri.find(kSeparator);
    if (uri.size() > kMaxUri || end == std::string_view::npos) {
        return false;
    }
    const std::string_view scheme = uri.substr(0, end);
    const bool is_taken =
        std::any_of(kTakenSchemes.begin(), kTakenSchemes.end(),
                    [&](std::string_view taken) { return equals_ignoring_case(taken, scheme); });
    return !is_taken && is_word(scheme) && is_word(uri.substr(end + kSeparator.size()));
}

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
