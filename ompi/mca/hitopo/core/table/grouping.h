// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who belongs together, said for nodes and seats, not for each process: what a process asks of a split
// at any scale is its own group. Memory is O(nodes + seats + answer); a process's group costs O(nodes)
// where ranks go by slot, else a pass over the ranks that keeps nothing of them.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_GROUPING_H
#define OMPI_MCA_HITOPO_CORE_TABLE_GROUPING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/tree/split.h"

namespace hitopo {

class Division;

class Grouping {
public:
    // All: table must outlive the result.

    // Nobody is in any group.
    explicit Grouping(const Table& table)
        : table_(&table), slot_of_seat_(table.layouts().seats().size(), Split::kNone) {}

    // The domains of a type.
    static Grouping by_type(const Table& table, const ResourceType& type);

    // Processes that can share memory.
    static Grouping by_shared_memory(const Table& table);

    // The domains of all types, the largest strict subsets of the communicator; where two cross, the
    // larger, then that of the outer type stands whole. Each is named by the deepest type that it is a
    // domain of.
    static Grouping unguided(const Table& table);

    // Gives each process without a group one of its own: what Open MPI's own split types promise.
    void fill_with_singles();

    std::size_t count() const { return num_groups_ + num_singles_; }

    // The group of the process `rank`.
    OwnGroup own(std::uint32_t rank) const;

    // The lowest rank of each group, ascending. Memory O(count()).
    Ranks lowest_ranks() const;

    // Everybody's group. Time and memory O(P).
    Split split() const;

private:
    void take_slots(const std::vector<std::int32_t>& num_slots);
    void take_nodes();
    void take_instances(const SeatInstances& instances);
    void take_parts_of_node(const Division& division);
    void take_parts(Division& division);
    template <class IdOf>
    void take_cohorts(IdOf id_of);
    void join_slots(const std::vector<std::int64_t>& ids);

    // Whether all processes of a node are in its first slot.
    bool is_even(std::size_t node) const { return is_even_[table_->layouts().of_node(node)]; }

    // The group of a slot or of a place, by the order in which groups were found, or -1.
    std::int32_t group_of_slot(std::size_t slot) const {
        return group_of_slot_.empty() ? static_cast<std::int32_t>(slot) : group_of_slot_[slot];
    }
    std::int32_t group_at(RankMap::Place at) const {
        const std::int32_t slot = slot_of_seat_[at.seat];
        return slot < 0 ? Split::kNone
                        : group_of_slot(first_slot_[at.node] + static_cast<std::uint32_t>(slot));
    }
    bool has_slot_of(std::uint32_t node, std::int32_t group) const;
    Ranks members(std::int32_t group) const;
    void add_lowest(Ranks& lowest) const;
    class Marks;
    std::size_t add_groups_of(std::uint32_t node, Marks& marks) const;
    std::size_t num_groups_below(std::uint32_t rank) const;
    std::size_t num_singles_below(std::size_t end) const;

    const Table* table_;
    // The processes of a node are in slots, those of a seat in one or in none. A group is one slot, or
    // several.
    std::vector<std::uint32_t> first_slot_;    // by node, and behind the last; empty: nobody is in one
    std::vector<std::int32_t> slot_of_seat_;   // counted from its node's first; -1: none
    std::vector<bool> is_even_;                // by layout: all seats are in the first slot
    std::vector<std::int32_t> group_of_slot_;  // or -1; empty: each is one
    std::size_t num_groups_ = 0;
    bool has_singles_ = false;
    std::size_t num_singles_ = 0;
    std::vector<std::string> types_;            // URIs
    std::vector<std::uint32_t> type_of_group_;  // index into types_; empty: 0 for all
};

}  // namespace hitopo

#endif
