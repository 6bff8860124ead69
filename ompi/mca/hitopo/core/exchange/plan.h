// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From all processes' records: which processes share a node, which component fills which level of
// which node, and who has to send which pieces. Every process computes the same plan by itself.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_PLAN_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_PLAN_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/record.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One node's answer for one level.
struct Choice {
    Candidate candidate = {};   // component 0: the node does not know the level
    std::uint32_t witness = 0;  // the lowest rank that gave it; it sends the name
    bool is_led = false;        // the leader of its switch tells more of it (core/network/uplinks.h)
};

struct NodePlan {
    std::uint64_t node_id = 0;
    std::uint64_t host_id = 0;
    std::uint32_t first_rank = 0;
    std::uint32_t num_processes = 0;
    std::uint32_t first_shared = 0;         // index into Plan::shared_ids
    std::array<Choice, kNode + 1> network;  // cluster, island, switch, node
    std::uint64_t machine_hash = 0;         // 0: no machine is known
    // Component whose explicit values fill l2numa, or socket, core and hwthread together, in place of
    // the machine; 0: the machine does.
    std::uint32_t l2numa_component = 0;
    std::uint32_t inner_component = 0;
};

// The pieces that one process sends, in this order.
struct Piece {
    enum Part : std::uint8_t { kNames = 1, kCpus = 2, kMachine = 4, kUplinks = 8 };
    std::uint32_t rank = 0;
    std::uint8_t parts = 0;       // of Part
    std::uint64_t offset = 0;     // in the gathered bytes
    std::uint64_t num_bytes = 0;  // a multiple of 4: padded
};

// Processes, of any nodes, that lie alike: one value of Record::placement_hash, and which of their
// node's values of Record::shared_id they have.
struct PlacementClass {
    std::uint32_t first_rank = 0;
    std::uint32_t shared = 0;  // counted from NodePlan::first_shared
};

// Two processes of one node that give different values of one component.
struct Disagreement {
    Level level;
    std::uint32_t rank;  // the lowest that gives one; its value stands
    std::uint32_t other_rank;
};

struct Plan {
    struct Process {
        std::uint32_t node;       // index into nodes
        std::uint32_t placement;  // index into placements
    };
    std::vector<Process> processes;  // by rank
    std::vector<NodePlan> nodes;     // in the order of their first rank
    std::vector<PlacementClass> placements;
    std::vector<std::uint64_t> shared_ids;    // of each node in the order of their first rank
    std::vector<Piece> pieces;                // in the order of ranks
    std::uint64_t num_bytes = 0;              // of all pieces
    std::int64_t first_error_rank = -1;       // lowest rank whose record has an error; -1: none
    bool has_mixed_settings = false;          // rank 0's stand
    std::vector<Disagreement> disagreements;  // the first of each level
    // The lowest rank of each host for whose nodes nobody speaks. The records are to be gathered again
    // when those have spoken.
    std::vector<std::uint32_t> unspoken;
};

// records: P of them, record r is rank r's, P >= 1. An error (kDisagree) if one of them does not come
// from this version of HiTopo. Time O(P), 64 bytes of memory a process at most.
Result<Plan> make_plan(const Record* records, std::size_t num_processes);

}  // namespace hitopo

#endif
