// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/cohorts.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

constexpr std::uint32_t kUnset = UINT32_MAX;

// Adds it if it is new; gives its number.
std::uint32_t number_in(std::vector<Cohort>& cohorts, const Cohort& cohort) {
    const auto known = std::find(cohorts.begin(), cohorts.end(), cohort);
    const auto number = static_cast<std::uint32_t>(known - cohorts.begin());
    if (known == cohorts.end()) {
        cohorts.push_back(cohort);
    }
    return number;
}

}  // namespace

std::uint32_t CohortMaker::add(std::uint32_t node, const Cohort& said) {
    if (node == first_.size()) {
        first_.push_back(said);
    }
    return first_[node] == said ? 0 : number_in(more_[node], said) + 1;
}

std::uint32_t CohortMaker::number_of_side(const SideClaims& claims) {
    ByteWriter key;
    for (const SideClaim& claim : claims) {
        key.put_u32(claim.type);
        key.put_u32(claim.component);
        key.put_u32(claim.value);
    }
    const std::uint32_t number = side_keys_.number_of(key.bytes());
    if (number == sides_.size()) {
        sides_.push_back(claims);
    }
    return number;
}

// said: the cohorts of one node.
std::vector<Cohort> CohortMaker::settled(const std::vector<Cohort>& said, const Names& names) {
    std::vector<const SideClaims*> all;
    all.reserve(said.size());
    for (const Cohort& cohort : said) {
        all.push_back(&names.side_claims(cohort.side));
    }
    std::vector<Cohort> settled = said;
    for (Cohort& cohort : settled) {
        cohort.side = number_of_side(claims_in_node(names.side_claims(cohort.side), all));
    }
    return settled;
}

Cohorts CohortMaker::finish(const Names& names) {
    (void)number_of_side({});
    Cohorts out;
    out.first_of_node.reserve(first_.size());
    for (std::uint32_t node = 0; node < first_.size(); ++node) {
        const auto first = static_cast<std::uint32_t>(out.all.size());
        out.first_of_node.push_back(first);
        const auto more = more_.find(node);
        if (more == more_.end()) {
            const std::uint32_t said = first_[node].side;
            alone_.resize(std::max<std::size_t>(alone_.size(), said + std::size_t{1}), kUnset);
            if (alone_[said] == kUnset) {
                alone_[said] = settled({first_[node]}, names)[0].side;
            }
            out.all.push_back({first_[node].shared_id, alone_[said]});
            continue;
        }
        std::vector<Cohort> said = {first_[node]};
        said.insert(said.end(), more->second.begin(), more->second.end());
        std::vector<Cohort> distinct;
        for (const Cohort& cohort : settled(said, names)) {
            out.merged_[node].push_back(number_in(distinct, cohort));
        }
        out.all.insert(out.all.end(), distinct.begin(), distinct.end());
    }
    out.sides = std::move(sides_);
    return out;
}

}  // namespace hitopo
