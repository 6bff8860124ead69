// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/inner_choice.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/contest.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

void add_once_each(const Place& place, Contest& contest, Level first, Level last, std::uint32_t rank) {
    std::vector<std::uint32_t> seen;
    for (int level = first; level <= last; ++level) {
        for (const Candidate& candidate : place.inner[static_cast<std::size_t>(level)]) {
            if (candidate.component != 0 &&
                std::find(seen.begin(), seen.end(), candidate.component) == seen.end()) {
                seen.push_back(candidate.component);
                contest.add(candidate, rank, 1);
            }
        }
    }
}

// The first that tells each machine, by its hash.
class MachineCards {
public:
    explicit MachineCards(const ProcessCards& cards) : cards_(cards) {
        for (std::size_t card = 0; card < cards.size(); ++card) {
            if (cards[card].machine_hash != 0 &&
                numbers_.number_of(cards[card].machine_hash) == first_.size()) {
                first_.push_back(card);
            }
        }
    }
    const ProcessCard* of(std::uint64_t machine_hash) const {
        const std::uint32_t number = numbers_.look_up(machine_hash);
        return number == FlatMap::kAbsent ? nullptr : &cards_[first_[number]];
    }

private:
    const ProcessCards& cards_;
    FlatMap numbers_;
    std::vector<std::size_t> first_;
};

// The machine competes too, for all processes of its node, under its component's name; 0 where it
// wins.
std::uint32_t winner(const MachineCards& machines, const NodePlan& node, Contest contest) {
    if (const ProcessCard* card = machines.of(node.machine_hash)) {
        Candidate machine;
        machine.component = card->machine_component;
        machine.priority = card->machine_priority;
        contest.add_apart(machine, node.num_processes);
    }
    const Contender* best = contest.winner();
    return best == nullptr || best->is_apart ? 0 : best->candidate.component;
}

}  // namespace

void choose_inner(Plan& plan) {
    const auto place_of = [&](std::uint32_t rank) -> const Place& {
        return plan.cards.place(plan.placements[plan.processes[rank].placement].place);
    };
    if (std::none_of(plan.placements.begin(), plan.placements.end(),
                     [&](const PlacementClass& at) { return plan.cards.place(at.place).has_values; })) {
        return;
    }
    std::vector<Contest> l2numa;
    std::vector<Contest> inner;
    for (const NodePlan& node : plan.nodes) {
        l2numa.emplace_back(node.num_processes, plan.forced[kL2Numa], plan.names);
        inner.emplace_back(node.num_processes, plan.forced[kSocket], plan.names);
    }
    for (std::uint32_t rank = 0; rank < plan.processes.size(); ++rank) {
        const std::uint32_t node = plan.processes[rank].node;
        add_once_each(place_of(rank), l2numa[node], kL2Numa, kL2Numa, rank);
        add_once_each(place_of(rank), inner[node], kSocket, kHwThread, rank);
    }
    const MachineCards machines(plan.cards);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        plan.nodes[i].l2numa_component = winner(machines, plan.nodes[i], std::move(l2numa[i]));
        plan.nodes[i].inner_component = winner(machines, plan.nodes[i], std::move(inner[i]));
    }
}

}  // namespace hitopo
