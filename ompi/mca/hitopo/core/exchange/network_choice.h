// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which component fills cluster, island, switch and node of each node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_NETWORK_CHOICE_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_NETWORK_CHOICE_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

// All processes of these nodes gave equal answers for the network levels, as nearly always: all of
// it stands for all of them.
class NetworkChoice {
public:
    // Both have to stay. plan: with its forced components.
    NetworkChoice(const NodeCardReader& reader, const Plan& plan) : reader_(reader), plan_(plan) {}

    // `network` of a node with that card and lowest rank. card: the one that the reader read last, as in
    // all calls before.
    const NetworkChoices& of(const NodeCard& card, std::uint32_t first_rank);

private:
    const NodeCardReader& reader_;
    const Plan& plan_;
    NetworkChoices latest_;
};

// Processes of one node that gave equal answers, where others of it gave others.
struct AnswerClass {
    NodeCard card;
    std::uint32_t node;
    std::uint32_t first_rank;
    std::uint32_t num_processes;
};

// Fills `network` of their nodes, and the plan's disagreements. classes: all of each of these nodes,
// node after node, of each in the order of their first rank.
void choose_network(const std::vector<AnswerClass>& classes, Plan& plan);

// For each switch that is led, the lowest rank that stands for it in any of its nodes: that leads it.
std::vector<std::uint32_t> leaders_of(const Plan& plan);

}  // namespace hitopo

#endif
