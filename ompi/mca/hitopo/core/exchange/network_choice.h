// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which component fills cluster, island, switch and node of each node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_NETWORK_CHOICE_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_NETWORK_CHOICE_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

// Processes of one node that gave equal answers for the network levels (nearly always all of them).
struct AnswerClass {
    NodeCard card;
    std::uint32_t node;
    std::uint32_t first_rank;
    std::uint32_t num_processes;
    PlannedPart part;
};

// Fills `network` of each node, and the plan's disagreements. classes: node after node, of each in the
// order of their first rank.
void choose_network(const std::vector<AnswerClass>& classes, Plan& plan);

// Of each switch that is led, the lowest rank that stands for it in any of its nodes: that leads it.
std::vector<std::uint32_t> leaders_of(const Plan& plan);

}  // namespace hitopo

#endif
