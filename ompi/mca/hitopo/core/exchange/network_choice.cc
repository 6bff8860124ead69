// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/network_choice.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/exchange/contest.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

void note_disagreement(std::vector<Disagreement>& all, const Disagreement& disagreement) {
    if (std::none_of(all.begin(), all.end(),
                     [&](const Disagreement& known) { return known.level == disagreement.level; })) {
        all.push_back(disagreement);
    }
}

const NodeCard& card_of(std::uint32_t rank, const AnswerClass* begin, const AnswerClass* end) {
    return std::find_if(begin, end, [&](const AnswerClass& c) { return c.first_rank == rank; })->card;
}

Choice choose_alone(Level level, const NodeCard& card, const Plan& plan) {
    const std::uint32_t forced = plan.forced[level];
    const auto is_better = [&](const Candidate& a, const Candidate& b) {
        if ((a.component == 0) != (b.component == 0)) {
            return a.component != 0;
        }
        if ((a.component == forced) != (b.component == forced)) {
            return a.component == forced;
        }
        return has_precedence(a, b, plan.names);
    };
    const Candidates& candidates = card.network[level];
    const Candidate& best = *std::min_element(candidates.begin(), candidates.end(), is_better);
    if (best.component == 0) {
        return {};
    }
    const bool is_led =
        (level == kIsland || level == kSwitch) && card.uplinks_component == best.component;
    return {best, 0, is_led};
}

Choice choose(Level level, const AnswerClass* begin, const AnswerClass* end, std::uint32_t total,
              Plan& plan) {
    Contest contest(total, plan.forced[level], plan.names);
    for (const AnswerClass* c = begin; c != end; ++c) {
        for (const Candidate& candidate : c->card.network[level]) {
            if (candidate.component != 0) {
                contest.add(candidate, c->first_rank, candidate.is_for_node ? total : c->num_processes);
            }
        }
    }
    const Contender* best = contest.winner();
    if (best == nullptr) {
        return {};
    }
    if (best->other_rank) {
        note_disagreement(plan.disagreements, {level, best->witness, *best->other_rank});
    }
    const bool is_led =
        (level == kIsland || level == kSwitch) &&
        card_of(best->witness, begin, end).uplinks_component == best->candidate.component;
    return {best->candidate, best->witness, is_led};
}

}  // namespace

const NetworkChoices& NetworkChoice::of(const NodeCard& card, std::uint32_t first_rank) {
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        if (reader_.has_changed(level)) {
            latest_[level] = choose_alone(level, card, plan_);
        }
        latest_[level].witness = latest_[level].candidate.component != 0 ? first_rank : 0;
    }
    return latest_;
}

void choose_network(const std::vector<AnswerClass>& classes, Plan& plan) {
    for (std::size_t begin = 0, end = 0; begin < classes.size(); begin = end) {
        while (end < classes.size() && classes[end].node == classes[begin].node) {
            ++end;
        }
        NodePlan& node = plan.nodes[classes[begin].node];
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            node.network[level] =
                choose(level, &classes[begin], &classes[end - 1] + 1, node.num_processes, plan);
        }
    }
}

std::vector<std::uint32_t> leaders_of(const Plan& plan) {
    std::vector<std::uint32_t> leaders;
    FlatMap numbers;
    for (const NodePlan& node : plan.nodes) {
        for (const Choice& choice : {node.network[kSwitch], node.network[kIsland]}) {
            if (!choice.is_led) {
                continue;
            }
            const std::uint32_t number =
                numbers.number_of(combine(choice.candidate.value, choice.candidate.component));
            if (number == leaders.size()) {
                leaders.push_back(choice.witness);
            }
            leaders[number] = std::min(leaders[number], choice.witness);
        }
    }
    return leaders;
}

}  // namespace hitopo
