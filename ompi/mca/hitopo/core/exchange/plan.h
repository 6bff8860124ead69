// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From all processes' summaries: which processes share a node, which component fills which level of
// which node, who is to speak or to lead. Every process computes the same plan by itself.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_PLAN_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_PLAN_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/cards.h"
#include "ompi/mca/hitopo/core/exchange/cohorts.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One node's answer for one level.
struct Choice {
    Candidate candidate;        // component 0: the node does not know the level
    std::uint32_t witness = 0;  // the lowest rank that gave it
    bool is_led = false;        // the leader of its switch tells more of it (core/network/uplinks.h)
};

using NetworkChoices = std::array<Choice, kNode + 1>;  // cluster, island, switch, node

struct NodePlan {
    std::uint64_t node_id = 0;
    std::uint32_t first_rank = 0;
    std::uint32_t num_processes = 0;
    std::uint32_t first_part = 0;  // index into Plan::parts
    std::uint32_t num_parts = 0;
    std::uint32_t first_cohort = 0;  // index into Plan::cohorts
    NetworkChoices network;
    std::uint64_t machine_hash = 0;  // 0: no machine is known
    // Component whose explicit values fill l2numa, or socket, core and hwthread together, in place of
    // the machine; 0 (no component): the machine does.
    std::uint32_t l2numa_component = 0;
    std::uint32_t inner_component = 0;
};

// A part of the summary, as one of its node's.
struct PlannedPart {
    std::uint32_t part = 0;    // index into Summary::parts
    std::uint32_t cohort = 0;  // which of its node's
};

// Two processes of one node that give different values of one component.
struct Disagreement {
    Level level;
    std::uint32_t rank;  // the lowest that gives one; its value stands
    std::uint32_t other_rank;
};

// Processes that have the same layers above HiTopo.
struct LayerClass {
    std::string layers;  // "coll prof"
    std::uint32_t first_rank = 0;
};

struct Plan {
    Names names;
    ProcessCards cards;
    std::vector<NodePlan> nodes;     // in the order of their first rank
    std::vector<PlannedPart> parts;  // node after node, of each in the order of their first rank
    std::vector<Cohort> cohorts;     // of each node in the order of their first rank
    std::vector<SideClaims> sides;   // distinct ones; the first is empty
    // The lowest rank's among the errors that cost most (cost_of); kAbsent only where all processes
    // report it.
    std::uint32_t error_rank = 0;
    std::optional<ComponentError> error;
    std::array<std::uint32_t, kNumLevels> forced = {};  // components that rank 0's settings name
    bool has_mixed_settings = false;                    // rank 0's stand
    std::vector<Disagreement> disagreements;            // the first of each level
    // The lowest rank of each host for whose nodes nobody speaks. All are to say what they say again
    // when those have spoken.
    std::vector<std::uint32_t> unspoken;
    std::vector<LayerClass> layers;      // mostly one
    std::vector<std::uint32_t> leaders;  // ranks that are to tell the uplinks of their switches
};

// summary: Summary::in_order of num_processes >= 1 processes. An error (kDisagree) if it does not have
// each of them once. Time O(runs of ranks + distinct seatings), memory one bit a process and O(nodes).
Result<Plan> make_plan(const Summary& summary, std::size_t num_processes);

// A process of a node of the plan.
struct Member {
    std::uint32_t rank;
    std::uint32_t place;   // of ProcessCards
    std::uint32_t cohort;  // as of PlannedPart
};
// The members of nodes[node], ascending by rank. summary: that of the plan.
std::vector<Member> members_of(const Summary& summary, const Plan& plan, std::size_t node);

}  // namespace hitopo

#endif
