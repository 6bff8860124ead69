// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/inner_values.h"

#include <algorithm>
#include <utility>

namespace hitopo {

InnerValues::InnerValues(const Plan& plan) : plan_(plan) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> ranks_of_node;
    const bool has_any = std::any_of(plan.nodes.begin(), plan.nodes.end(), has_values);
    for (std::uint32_t rank = 0; has_any && rank < plan.processes.size(); ++rank) {
        if (has(plan.processes[rank].node)) {
            ranks_of_node[plan.processes[rank].node].push_back(rank);
            numbers_[rank].fill(-1);
        }
    }
    for (const auto& [node, ranks] : ranks_of_node) {
        for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
            number_level(ranks, level);
        }
    }
}

const RawValue* InnerValues::value_of(std::uint32_t rank, Level level) const {
    const NodePlan& node = plan_.nodes[plan_.processes[rank].node];
    const std::uint32_t component = level == kL2Numa ? node.l2numa_component : node.inner_component;
    const Place& place = plan_.cards.place(plan_.placements[plan_.processes[rank].placement].place);
    for (const Candidate& candidate : place.inner[level]) {
        if (candidate.component == component && component != 0) {
            return &plan_.names.value_of(candidate.value);
        }
    }
    return nullptr;
}

// Siblings are the distinct values that share the socket (for a core) or the core (for a thread).
void InnerValues::number_level(const std::vector<std::uint32_t>& ranks, Level level) {
    struct Sibling {
        std::pair<std::int32_t, std::int32_t> parent;  // socket, core
        const RawValue* value;
        std::uint32_t rank;
    };
    std::vector<Sibling> siblings;
    for (const std::uint32_t rank : ranks) {
        if (const RawValue* value = value_of(rank, level)) {
            const Numbers& outer = numbers_.at(rank);
            siblings.push_back(
                {{level > kSocket ? outer[kSocket] : -1, level > kCore ? outer[kCore] : -1},
                 value,
                 rank});
        }
    }
    std::sort(siblings.begin(), siblings.end(), [](const Sibling& a, const Sibling& b) {
        return a.parent != b.parent ? a.parent < b.parent : *a.value < *b.value;
    });
    std::int32_t number = 0;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
        if (i > 0 && siblings[i].parent != siblings[i - 1].parent) {
            number = 0;
        } else if (i > 0 && !(*siblings[i].value == *siblings[i - 1].value)) {
            ++number;
        }
        numbers_[siblings[i].rank][level] = number;
    }
}

void InnerValues::apply(std::uint32_t rank, Pattern& pattern) const {
    const Numbers& numbers = numbers_.at(rank);
    const NodePlan& node = plan_.nodes[plan_.processes[rank].node];
    if (node.l2numa_component != 0) {
        pattern.placement[kL2Numa] = numbers[kL2Numa];
    }
    if (node.inner_component != 0) {
        for (const Level level : {kSocket, kCore, kHwThread}) {
            pattern.placement[level] = numbers[level];
        }
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        if (const RawValue* value = value_of(rank, level)) {
            pattern.names[level] = value->visible().to_string();
        }
    }
}

}  // namespace hitopo
