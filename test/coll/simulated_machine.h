// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Machines on paper: how many children the groups of each level have, and what connects them.
#ifndef TEST_COLL_SIMULATED_MACHINE_H
#define TEST_COLL_SIMULATED_MACHINE_H

#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/model.h"

namespace hitopo::coll {

// All groups of a level alike.
struct Tier {
    int level;         // at which the children differ
    int num_children;  // of a group, two at least
    Link link;
};

class SimulatedMachine {
public:
    // tiers: outermost first; the last one's children are processes, or nodes of one process. Ranks
    // stand in the order of their addresses. eager_bytes: messages up to that length are sent before
    // their receiver is asked.
    SimulatedMachine(std::vector<Tier> tiers, std::size_t eager_bytes);

    const std::vector<Tier>& tiers() const { return tiers_; }
    std::size_t eager_bytes() const { return eager_bytes_; }
    int num_processes() const { return members_.front() * tiers_.front().num_children; }
    int num_members(std::size_t tier) const { return members_[tier]; }  // of one child
    int num_groups(std::size_t tier) const { return num_processes() / num_members(tier); }
    Links links() const;

    Groups groups_of(int rank) const { return {positions_, rank}; }

private:
    std::vector<Tier> tiers_;
    std::size_t eager_bytes_;
    std::vector<int> members_;
    std::shared_ptr<const Positions> positions_;
};

// The namespace lab: 4 switches of 2 nodes of 4 processes, trunks of 12 MB/s, as `hitopo tune` measures
// it; Open MPI's TCP.
SimulatedMachine lab_machine();

}  // namespace hitopo::coll

#endif
