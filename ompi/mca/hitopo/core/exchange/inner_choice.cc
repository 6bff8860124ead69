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

void choose_inner(const Summary& summary, Plan& plan) {
    if (!plan.cards.has_values()) {
        return;
    }
    const MachineCards machines(plan.cards);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        NodePlan& node = plan.nodes[i];
        Contest l2numa(node.num_processes, plan.forced[kL2Numa], plan.names);
        Contest inner(node.num_processes, plan.forced[kSocket], plan.names);
        for (const Member& member : members_of(summary, plan, i)) {
            const Place& place = plan.cards.place(member.place);
            add_once_each(place, l2numa, kL2Numa, kL2Numa, member.rank);
            add_once_each(place, inner, kSocket, kHwThread, member.rank);
        }
        node.l2numa_component = winner(machines, node, std::move(l2numa));
        node.inner_component = winner(machines, node, std::move(inner));
    }
}

}  // namespace hitopo
