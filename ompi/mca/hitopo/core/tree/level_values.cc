// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/level_values.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"

namespace hitopo {

// A switch of which nobody told keeps the value that processes gave.
LevelValues::LevelValues(const RecordMessage& message) : message_(message) {
    if (message.uplinks.empty()) {
        return;
    }
    std::unordered_map<std::string, std::uint32_t> indices;
    const auto index_of = [&](const std::string& name) {
        return indices.emplace(name, static_cast<std::uint32_t>(indices.size())).first->second;
    };
    for (const std::string& name : message.names) {
        (void)index_of(name);
    }
    const auto index_of_value = [&](const RawValue& value) {
        ByteWriter encoded;
        encoded.put(value);
        const std::uint32_t index = index_of(encoded.bytes());
        if (index == message.names.size() + more_names_.size()) {
            more_names_.push_back(encoded.bytes());
        }
        return index;
    };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
    std::vector<LedSwitch> leaves;
    for (const std::string& bytes : message.uplinks) {
        if (std::optional<LedSwitch> leaf = decode_led_switch(bytes)) {
            const auto component =
                std::find(message.names.begin(), message.names.end(), leaf->component);
            const std::pair<std::uint32_t, std::uint32_t> key = {component - message.names.begin(),
                                                                 index_of_value(leaf->value)};
            if (settled_.emplace(key, Settled()).second) {
                keys.push_back(key);
                leaves.push_back(std::move(*leaf));
            }
        }
    }
    const std::vector<SettledSwitch> settled = settle(leaves);
    for (std::size_t i = 0; i < settled.size(); ++i) {
        settled_[keys[i]] = {index_of_value(settled[i].value), index_of_value(settled[i].island)};
    }
}

std::optional<std::uint32_t> LevelValues::value_of(Level level, const Selected& selected) const {
    const LevelAnswer& answer = selected.answer;
    if (selected.can_have_uplinks) {
        const auto found = settled_.find({answer.component, answer.value});
        if (found != settled_.end()) {
            return level == kIsland ? found->second.island : found->second.value;
        }
    }
    const bool is_known = answer.is_known() && answer.is_named;
    return is_known && !(selected.can_have_uplinks && level == kIsland) ? std::optional(answer.value)
                                                                        : std::nullopt;
}

std::int32_t LevelValues::add(Level level, const Selected& selected) {
    const std::optional<std::uint32_t> value = value_of(level, selected);
    if (!value) {
        return -1;
    }
    const std::uint32_t component = selected.answer.component;
    std::vector<Origin>& origins = origins_[static_cast<std::size_t>(level)];
    const std::uint32_t number =
        numbers_[static_cast<std::size_t>(level)].number_of(std::uint64_t{component} << 32 | *value);
    if (number == origins.size()) {
        origins.push_back({component, *value, selected.answer.priority});
    }
    return static_cast<std::int32_t>(number);
}

std::vector<NamedValue> LevelValues::in_order(Level level, std::vector<std::int32_t>& places) const {
    const std::vector<Origin>& origins = origins_[static_cast<std::size_t>(level)];
    std::map<std::tuple<std::int64_t, std::string, RawValue>, std::size_t> numbers;
    for (const Origin& origin : origins) {
        numbers.emplace(std::make_tuple(-std::int64_t{origin.priority}, message_.names[origin.component],
                                        ByteReader(text_of(origin.value)).get_value()),
                        numbers.size());
    }
    places.resize(origins.size());
    std::vector<NamedValue> values;
    values.reserve(origins.size());
    for (const auto& [key, number] : numbers) {
        places[number] = static_cast<std::int32_t>(values.size());
        values.push_back({std::get<1>(key), std::get<2>(key)});
    }
    return values;
}

}  // namespace hitopo
