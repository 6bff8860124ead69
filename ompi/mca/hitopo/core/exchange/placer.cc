// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/placer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/machine/binding.h"

namespace hitopo {

Occupancy Placer::place_all() {
    occupancy_.nodes.resize(plan_.nodes.size());
    for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
        occupancy_.num_processes += plan_.nodes[i].num_processes;
        occupancy_.nodes[i] = occupied(i);
    }
    list_uncovered();
    return std::move(occupancy_);
}

// Nodes of one part that have one seating and one machine are alike.
Occupancy::Node Placer::occupied(std::size_t node) {
    const NodePlan& planned = plan_.nodes[node];
    const PlannedPart& first = plan_.parts[planned.first_part];
    const Summary::Part& said = summary_.parts()[first.part];
    if (planned.num_parts > 1 || InnerValues::has(planned)) {
        const std::vector<Member> members = members_of(summary_, plan_, node);
        Occupancy::Node occupied;
        occupied.patterns = patterns_of(node, members);
        for (const Member& member : members) {
            occupied.ranks.add(member.rank);
        }
        return occupied;
    }
    const auto machine = static_cast<std::uint64_t>(dictionary_.nodes[node].machine) + 1;
    const std::uint32_t number = usual_.number_of(combine(machine << 32 | said.seating, first.cohort));
    if (number == usual_patterns_.size()) {
        usual_patterns_.push_back(patterns_of(node, members_of(summary_, plan_, node)));
    }
    return {0, usual_patterns_[number], summary_.ranks(said).to_runs()};
}

std::uint32_t Placer::patterns_of(std::size_t node, const std::vector<Member>& members) {
    const bool has_values = InnerValues::has(plan_.nodes[node]);
    std::optional<InnerValues> values;
    if (has_values) {
        values.emplace(plan_, node, members);
    }
    std::vector<std::uint32_t> patterns;
    for (std::size_t i = 0; i < members.size(); ++i) {
        patterns.push_back(pattern_of({node, members[i], i}, values ? &*values : nullptr));
    }
    return occupancy_.patterns.number_of(patterns);
}

std::uint32_t Placer::pattern_of(const Placed& placed, const InnerValues* values) {
    const bool has_rule = !plan_.cards.place(placed.member.place).rule.empty();
    const auto machine = static_cast<std::uint64_t>(dictionary_.nodes[placed.node].machine) + 1;
    const std::uint64_t key =
        combine(combine(machine << 32 | placed.member.place, placed.member.cohort),
                combine(has_rule ? placed.index + 1 : 0, values != nullptr ? placed.node + 1 : 0));
    const std::uint32_t number = pattern_numbers_.number_of(key);
    if (number == dictionary_.patterns.size()) {
        dictionary_.patterns.push_back(make_pattern(placed));
        if (values != nullptr) {
            values->apply(placed.index, dictionary_.patterns.back());
        }
    }
    return number;
}

Pattern Placer::make_pattern(const Placed& placed) {
    const std::int32_t machine_index = dictionary_.nodes[placed.node].machine;
    const Machine* machine =
        machine_index < 0 ? nullptr : &dictionary_.machines[static_cast<std::size_t>(machine_index)];
    Pattern pattern;
    pattern.cohort = placed.member.cohort;
    const Place& said = plan_.cards.place(placed.member.place);
    if (said.rule.empty()) {
        pattern.cpus = said.cpus;
    } else if (machine != nullptr) {
        pattern.cpus = bind_by_rule(*machine, said.rule, static_cast<int>(placed.index));
    }
    if (machine != nullptr) {
        pattern.placement = place(*machine, pattern.cpus);
        if (!pattern.placement.is_covered) {
            uncovered_patterns_.push_back(static_cast<std::uint32_t>(dictionary_.patterns.size()));
        }
    }
    return pattern;
}

void Placer::list_uncovered() {
    if (uncovered_patterns_.empty()) {
        return;
    }
    std::map<std::uint32_t, std::uint32_t> lowest;  // rank by pattern
    for (const Occupancy::Node& node : occupancy_.nodes) {
        const std::uint32_t* pattern = occupancy_.patterns.begin(node.patterns);
        node.ranks.for_each([&](std::uint32_t rank) {
            const std::uint32_t own = *pattern++;
            if (std::binary_search(uncovered_patterns_.begin(), uncovered_patterns_.end(), own)) {
                const auto known = lowest.emplace(own, rank).first;
                known->second = std::min(known->second, rank);
            }
        });
    }
    for (const auto& [pattern, rank] : lowest) {
        uncovered_.emplace(rank, pattern);
    }
}

}  // namespace hitopo
