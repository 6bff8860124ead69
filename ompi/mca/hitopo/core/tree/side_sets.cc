// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/side_sets.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

// Adds it, or puts it in the place of a lesser one of its type.
void offer(const SideValue& value, std::vector<SideValue>& best) {
    const auto known = std::find_if(best.begin(), best.end(),
                                    [&](const SideValue& other) { return other.type == value.type; });
    if (known == best.end()) {
        best.push_back(value);
    } else if (known->priority < value.priority) {
        *known = value;
    }
}

}  // namespace

std::uint32_t SideSets::number_of(std::vector<SideValue> values) {
    std::sort(values.begin(), values.end(),
              [](const SideValue& a, const SideValue& b) { return a.type < b.type; });
    std::vector<std::uint32_t> key;
    for (const SideValue& value : values) {
        key.insert(key.end(), {value.type, value.component, value.value});
    }
    const auto next = static_cast<std::uint32_t>(sets_.size());
    const auto [known, is_new] = numbers_.emplace(std::move(key), next);
    if (is_new) {
        sets_.push_back(std::move(values));
    }
    return known->second;
}

std::uint32_t SideSets::of_record(const NodeRecord& own, const std::vector<const NodeRecord*>& node) {
    std::vector<SideValue> best;
    for (const SideValue& value : own.side) {
        offer(value, best);
    }
    for (const NodeRecord* record : node) {
        for (const SideValue& value : record->side) {
            if (value.is_for_node) {
                offer(value, best);
            }
        }
    }
    return best.empty() ? 0 : number_of(std::move(best));
}

void SideSets::list(JobFacts& facts) const {
    using Key = std::tuple<std::int64_t, std::string, RawValue>;  // a value as levels' are ordered
    struct Type {
        std::int32_t order = INT32_MAX;
        std::map<Key, std::int32_t> values;  // their numbers
    };
    const auto key_of = [this](const SideValue& value) {
        return Key{-std::int64_t{value.priority}, message_.names[value.component],
                   ByteReader(message_.names[value.value]).get_value()};
    };
    std::map<std::uint32_t, Type> types;  // by name
    for (const std::vector<SideValue>& set : sets_) {
        for (const SideValue& value : set) {
            Type& type = types[value.type];
            type.order = std::min(type.order, value.order);
            type.values.emplace(key_of(value), 0);
        }
    }
    std::vector<std::tuple<std::int32_t, std::string, std::uint32_t>> order;
    order.reserve(types.size());
    for (const auto& [name, type] : types) {
        order.emplace_back(type.order, message_.names[name], name);
    }
    std::sort(order.begin(), order.end());
    facts.side_sets.assign(sets_.size(), std::vector<std::int32_t>(order.size(), -1));
    for (std::size_t index = 0; index < order.size(); ++index) {
        const auto& [ignored, uri, name] = order[index];
        facts.side_types.push_back({uri, {}});
        for (auto& [key, number] : types[name].values) {
            number = static_cast<std::int32_t>(facts.side_types.back().values.size());
            facts.side_types.back().values.push_back({std::get<1>(key), std::get<2>(key)});
        }
        for (std::size_t set = 0; set < sets_.size(); ++set) {
            for (const SideValue& value : sets_[set]) {
                if (value.type == name) {
                    facts.side_sets[set][index] = types[name].values.at(key_of(value));
                }
            }
        }
    }
}

}  // namespace hitopo
