// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The places of processes, as an order of them sees it: their groups at each level.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_LEVEL_GROUPS_H
#define OMPI_MCA_TOPO_HITOPO_CORE_LEVEL_GROUPS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo::topo {

// Something for each process: entry r is of rank r, or of the process at position r.
using PerProcess = std::vector<std::uint32_t>;

// Processes by the levels that divide them: those at which they are in several groups, of which one has
// two processes at least. A group is all processes whose addresses agree down to its level, in a -1
// (unknown) too. Groups of one level are numbered in the order of addresses.
class LevelGroups {
public:
    // Address r is rank r's. O(P log P), or O(P) where addresses ascend by rank.
    explicit LevelGroups(const std::vector<Address>& addresses);
    // rank_at: all ranks, by the levels down to the node; those of a node in any order. O(P log node).
    LevelGroups(const std::vector<Address>& addresses, PerProcess rank_at);

    std::size_t size() const { return rank_at_.size(); }

    // Outermost first.
    const std::vector<Level>& levels() const { return levels_; }
    // i counts levels(). At least 2.
    std::uint32_t num_groups(std::size_t i) const {
        return static_cast<std::uint32_t>(starts_[i].size());
    }

    // Processes in the order of addresses, equal ones by rank: the index is the position.
    const PerProcess& rank_at() const { return rank_at_; }
    bool is_in_rank_order() const { return is_in_rank_order_; }
    // The position at which each group of levels()[i] begins, ascending from 0.
    const PerProcess& starts(std::size_t i) const { return starts_[i]; }

    // The group of each position at the innermost level; 0 where there are no levels.
    const PerProcess& group_at() const { return group_at_; }

    // The outermost of levels() at which the processes of two such groups are in different groups,
    // and so at all levels inside of it; levels().size() if it is one group.
    std::size_t first_crossed(std::uint32_t group, std::uint32_t other) const;

private:
    void divide(const std::vector<Address>& addresses);
    void number_groups();

    PerProcess rank_at_;
    bool is_in_rank_order_ = true;
    std::vector<Level> levels_;
    std::vector<PerProcess> starts_;
    PerProcess group_at_;
    std::vector<PerProcess> parents_;  // at [i] the group of levels()[i] that each one of [i + 1] is in
};

}  // namespace hitopo::topo

#endif
