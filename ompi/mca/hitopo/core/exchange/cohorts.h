// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Cohorts: the processes of a node that share the same things with processes of other nodes, or not with
// all of their own: memory, where containers divide a node or simulated nodes are one, and side
// resources.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_COHORTS_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_COHORTS_H

#include <cstdint>
#include <map>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/cards.h"
#include "ompi/mca/hitopo/core/exchange/distinct.h"

namespace hitopo {

struct Cohort {
    // Equal where processes run in one operating system instance, with one /dev/shm and IPC namespace.
    std::uint64_t shared_id = 0;
    std::uint32_t side = 0;  // number of its side resources; 0: none

    friend bool operator==(const Cohort& a, const Cohort& b) {
        return a.shared_id == b.shared_id && a.side == b.side;
    }
};

struct Cohorts {
    std::vector<Cohort> all;                   // node after node; side: index into sides
    std::vector<std::uint32_t> first_of_node;  // index into `all`
    std::vector<SideClaims> sides;             // distinct ones; the first is empty

    // The number in its node of what CohortMaker::add gave.
    std::uint32_t of_part(std::uint32_t node, std::uint32_t added) const {
        const auto merged = merged_.find(node);
        return merged == merged_.end() ? added : merged->second[added];
    }

private:
    friend class CohortMaker;
    std::map<std::uint32_t, std::vector<std::uint32_t>> merged_;  // by node with several
};

// Hears part after part, and then finds out what those mean that count for a whole node.
class CohortMaker {
public:
    // A part of a node; nodes are numbered in the order of their first parts. said.side: as of NodeCard.
    // Gives its number among the node's, by which Cohorts::of_part knows it.
    std::uint32_t add(std::uint32_t node, const Cohort& said);

    // Once. Cohorts of one node that come to the same are one.
    Cohorts finish(const Names& names);

private:
    std::uint32_t number_of_side(const SideClaims& claims);
    std::vector<Cohort> settled(const std::vector<Cohort>& said, const Names& names);

    std::vector<Cohort> first_;                          // by node; mostly there is one
    std::map<std::uint32_t, std::vector<Cohort>> more_;  // by node, in the order of ranks
    Distinct side_keys_;
    std::vector<SideClaims> sides_;
    std::vector<std::uint32_t>
        alone_;  // by number of what was said: its side where nobody else says more
};

}  // namespace hitopo

#endif
