// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/side_values.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hitopo {
namespace {

// A value as levels' are ordered.
struct Rank {
    std::int64_t priority;  // the opposite of: the highest is first
    std::string component;
    RawValue value;

    friend bool operator<(const Rank& a, const Rank& b) {
        return std::tie(a.priority, a.component) != std::tie(b.priority, b.component)
                   ? std::tie(a.priority, a.component) < std::tie(b.priority, b.component)
                   : a.value < b.value;
    }
};

struct Type {
    std::int32_t order = INT32_MAX;
    std::map<Rank, std::int32_t> values;  // their numbers
};

Rank rank_of(const SideClaim& claim, const Names& names) {
    return {-std::int64_t{claim.priority}, names.component_name(claim.component),
            names.value_of(claim.value)};
}

}  // namespace

void list_side_resources(const Plan& plan, DictionaryDraft& dictionary) {
    std::map<std::uint32_t, Type> types;  // by number of Names
    for (const SideClaims& claims : plan.sides) {
        for (const SideClaim& claim : claims) {
            Type& type = types[claim.type];
            type.order = std::min(type.order, claim.order);
            type.values.emplace(rank_of(claim, plan.names), 0);
        }
    }
    std::vector<std::tuple<std::int32_t, std::string, std::uint32_t>> order;
    order.reserve(types.size());
    for (const auto& [number, type] : types) {
        order.emplace_back(type.order, plan.names.component_name(number), number);
    }
    std::sort(order.begin(), order.end());
    std::map<std::uint32_t, std::size_t> index_of;  // by number of Names
    for (const auto& [ignored, uri, number] : order) {
        index_of.emplace(number, dictionary.side_types.size());
        SideType& listed = dictionary.side_types.emplace_back();
        listed.uri = uri;
        for (auto& [rank, value_number] : types[number].values) {
            value_number = static_cast<std::int32_t>(listed.values.size());
            listed.values.push_back({rank.component, rank.value});
        }
    }
    for (const SideClaims& claims : plan.sides) {
        std::vector<std::int32_t>& set = dictionary.side_sets.emplace_back(index_of.size(), -1);
        for (const SideClaim& claim : claims) {
            set[index_of[claim.type]] = types[claim.type].values[rank_of(claim, plan.names)];
        }
    }
}

}  // namespace hitopo
