// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/inner_choice.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/contest.h"

namespace hitopo {
namespace {

void add_once_each(const Record& record, Contest& contest, Level first, Level last, std::uint32_t rank) {
    std::vector<std::uint32_t> seen;
    for (int level = first; level <= last; ++level) {
        for (const Candidate& candidate : record.candidates[level]) {
            if (candidate.component != 0 &&
                std::find(seen.begin(), seen.end(), candidate.component) == seen.end()) {
                seen.push_back(candidate.component);
                contest.add(candidate, rank, 1);
            }
        }
    }
}

// The machine competes too, for all processes of its node, under its component's name; 0 where it
// wins.
std::uint32_t winner(const Record* records, const MachineSenders& machines, const NodePlan& node,
                     Contest contest) {
    const std::optional<std::uint32_t> sender = machines.of(node.machine_hash);
    if (sender) {
        const Record& record = records[*sender];
        contest.add_apart({0, record.machine_component, record.machine_priority}, node.num_processes);
    }
    const Contender* best = contest.winner();
    return best == nullptr || best->is_apart ? 0 : best->candidate.component;
}

}  // namespace

std::vector<std::uint32_t> ranks_with_inner_values(const Record* records, const Plan& plan) {
    std::vector<bool> has_values;  // by placement
    for (const PlacementClass& placement : plan.placements) {
        has_values.push_back((records[placement.first_rank].flags & Record::kHasInnerValues) != 0);
    }
    std::vector<std::uint32_t> ranks;
    if (std::find(has_values.begin(), has_values.end(), true) == has_values.end()) {
        return ranks;
    }
    for (std::uint32_t rank = 0; rank < plan.processes.size(); ++rank) {
        if (has_values[plan.processes[rank].placement]) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

void choose_inner(const Record* records, const std::vector<std::uint32_t>& ranks,
                  const MachineSenders& machines, Plan& plan) {
    if (ranks.empty()) {
        return;
    }
    std::vector<Contest> l2numa;
    std::vector<Contest> inner;
    for (const NodePlan& node : plan.nodes) {
        l2numa.emplace_back(node.num_processes, records[0].forced[kL2Numa]);
        inner.emplace_back(node.num_processes, records[0].forced[kSocket]);
    }
    for (const std::uint32_t rank : ranks) {
        const std::uint32_t node = plan.processes[rank].node;
        add_once_each(records[rank], l2numa[node], kL2Numa, kL2Numa, rank);
        add_once_each(records[rank], inner[node], kSocket, kHwThread, rank);
    }
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        plan.nodes[i].l2numa_component = winner(records, machines, plan.nodes[i], std::move(l2numa[i]));
        plan.nodes[i].inner_component = winner(records, machines, plan.nodes[i], std::move(inner[i]));
    }
}

}  // namespace hitopo
