// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/values.h"

#include <algorithm>
#include <optional>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {

std::int32_t ValueList::add(std::int32_t priority, const std::string& component, RawValue value) {
    const auto next = static_cast<std::int32_t>(numbers_.size());
    return numbers_.emplace(std::tuple(-std::int64_t{priority}, component, std::move(value)), next)
        .first->second;
}

std::vector<NamedValue> ValueList::in_order(std::vector<std::int32_t>& numbers) const {
    std::vector<NamedValue> values;
    values.reserve(numbers_.size());
    numbers.resize(numbers_.size());
    for (const auto& [key, number] : numbers_) {
        numbers[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(values.size());
        values.push_back({std::get<1>(key), std::get<2>(key)});
    }
    return values;
}

// ---- network levels ----

LevelValues::LevelValues(const RecordMessage& message) : message_(message) {
    std::vector<LedSwitch> leaves;
    for (const std::string& bytes : message.uplinks) {
        std::optional<LedSwitch> leaf = decode_led_switch(bytes);
        if (leaf && settled_.emplace(std::pair(leaf->component, leaf->value), SettledSwitch()).second) {
            leaves.push_back(std::move(*leaf));
        }
    }
    std::vector<SettledSwitch> settled = settle(leaves);
    for (std::size_t i = 0; i < settled.size(); ++i) {
        settled_[{leaves[i].component, leaves[i].value}] = std::move(settled[i]);
    }
}

// Most nodes share their answers with others.
std::int32_t LevelValues::add(Level level, const Selected& selected) {
    const LevelAnswer& answer = selected.answer;
    if (!answer.is_known()) {
        return -1;
    }
    OfLevel& own = levels_[level];
    const std::uint64_t flags = (answer.is_named ? 2 : 0) + (selected.can_have_uplinks ? 1 : 0);
    std::optional<std::int32_t>& number =
        own.numbers[std::uint64_t{answer.value} << 32 | std::uint64_t{answer.component} << 2 | flags];
    if (!number) {
        number = add_distinct(level, selected);
    }
    return *number;
}

// A switch of which nothing was reported keeps the value that processes gave, and has no island.
std::int32_t LevelValues::add_distinct(Level level, const Selected& selected) {
    const LevelAnswer& answer = selected.answer;
    const std::string& component = message_.names[answer.component];
    RawValue value = ByteReader(message_.names[answer.value]).get_value();
    if (selected.can_have_uplinks) {
        const auto found = settled_.find({component, value});
        if (found != settled_.end()) {
            value = level == kIsland ? found->second.island : found->second.value;
        } else if (level == kIsland) {
            return -1;
        }
    } else if (!answer.is_named) {
        return -1;
    }
    return levels_[level].values.add(answer.priority, component, std::move(value));
}

// ---- side resources ----

std::uint32_t SideSets::of_record(const NodeRecord& own, const std::vector<const NodeRecord*>& node) {
    std::map<std::uint32_t, const SideValue*> best;  // by type
    const auto consider = [&](const SideValue& value) {
        const SideValue*& known = best[value.type];
        if (known == nullptr || known->priority < value.priority) {
            known = &value;
        }
    };
    for (const SideValue& value : own.side) {
        consider(value);
    }
    for (const NodeRecord* record : node) {
        for (const SideValue& value : record->side) {
            if (value.is_for_node) {
                consider(value);
            }
        }
    }
    Set set;
    for (const auto& [name, value] : best) {
        Type& type = types_[name];
        type.order = std::min(type.order, value->order);
        set[name] = type.values.add(value->priority, message_.names[value->component],
                                    ByteReader(message_.names[value->value]).get_value());
    }
    const auto next = static_cast<std::uint32_t>(sets_.size());
    return sets_.emplace(std::move(set), next).first->second;
}

void SideSets::list(JobFacts& facts) const {
    std::vector<std::tuple<std::int32_t, std::string, std::uint32_t>> order;
    for (const auto& [name, type] : types_) {
        order.emplace_back(type.order, message_.names[name], name);
    }
    std::sort(order.begin(), order.end());
    facts.side_sets.resize(sets_.size());
    for (const auto& [rank, uri, name] : order) {
        std::vector<std::int32_t> numbers;
        facts.side_types.push_back({uri, types_.at(name).values.in_order(numbers)});
        for (const auto& [set, number] : sets_) {
            const auto own = set.find(name);
            facts.side_sets[number].push_back(
                own == set.end() ? -1 : numbers[static_cast<std::size_t>(own->second)]);
        }
    }
}

}  // namespace hitopo
