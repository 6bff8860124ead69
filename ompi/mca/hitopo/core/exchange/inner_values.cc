// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/inner_values.h"

#include <algorithm>
#include <utility>

namespace hitopo {

InnerValues::InnerValues(const Plan& plan, std::size_t node, const std::vector<Member>& members)
    : plan_(plan), node_(plan.nodes[node]), members_(members), numbers_(members.size()) {
    for (Numbers& numbers : numbers_) {
        numbers.fill(-1);
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        number_level(level);
    }
}

std::optional<RawValue> InnerValues::value_of(std::size_t index, Level level) const {
    const std::uint32_t component = level == kL2Numa ? node_.l2numa_component : node_.inner_component;
    for (const Candidate& candidate : plan_.cards.place(members_[index].place).inner[level]) {
        if (candidate.component == component && component != 0) {
            return plan_.names.value_of(candidate.value);
        }
    }
    return std::nullopt;
}

// Siblings are the distinct values that share the socket (for a core) or the core (for a thread).
void InnerValues::number_level(Level level) {
    struct Sibling {
        std::pair<std::int32_t, std::int32_t> parent;  // socket, core
        RawValue value;
        std::size_t index;
    };
    std::vector<Sibling> siblings;
    for (std::size_t index = 0; index < members_.size(); ++index) {
        if (std::optional<RawValue> value = value_of(index, level)) {
            const Numbers& outer = numbers_[index];
            siblings.push_back(
                {{level > kSocket ? outer[kSocket] : -1, level > kCore ? outer[kCore] : -1},
                 std::move(*value),
                 index});
        }
    }
    std::sort(siblings.begin(), siblings.end(), [](const Sibling& a, const Sibling& b) {
        return a.parent != b.parent ? a.parent < b.parent : a.value < b.value;
    });
    std::int32_t number = 0;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
        if (i > 0 && siblings[i].parent != siblings[i - 1].parent) {
            number = 0;
        } else if (i > 0 && !(siblings[i].value == siblings[i - 1].value)) {
            ++number;
        }
        numbers_[siblings[i].index][level] = number;
    }
}

void InnerValues::apply(std::size_t index, Pattern& pattern) const {
    const Numbers& numbers = numbers_[index];
    if (node_.l2numa_component != 0) {
        pattern.placement[kL2Numa] = numbers[kL2Numa];
    }
    if (node_.inner_component != 0) {
        for (const Level level : {kSocket, kCore, kHwThread}) {
            pattern.placement[level] = numbers[level];
        }
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        if (const std::optional<RawValue> value = value_of(index, level)) {
            pattern.names[level] = value->visible().to_string();
        }
    }
}

}  // namespace hitopo
