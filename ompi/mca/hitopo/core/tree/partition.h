// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of a communicator belong together, said for nodes and seats, not for each process:
// what a process asks of a split at any scale is its own group.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_PARTITION_H
#define OMPI_MCA_HITOPO_CORE_TREE_PARTITION_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/split.h"

namespace hitopo {

class Partition {
public:
    // All: the tree must outlive the result. Memory O(nodes + seats).

    // No process is in any group.
    explicit Partition(const AddressTree& tree)
        : tree_(&tree), slot_of_seat_(tree.seats().size(), Split::kNone) {}

    // The domains of a type: none of a level that nobody knows.
    static Partition by_type(const AddressTree& tree, const ResourceType& type);

    // Processes that can share memory.
    static Partition by_shared_memory(const AddressTree& tree);

    // The domains of all types that nest, the largest strict subsets of the communicator; where two
    // cross, the larger, then that of the outer type stands whole. Each is named by the deepest type
    // that it is a domain of.
    static Partition unguided(const AddressTree& tree);

    // Gives each process without a group one of its own: what Open MPI's own split types promise.
    void fill_with_singles();

    std::size_t count() const { return num_groups_ + num_singles_; }

    // The group of the process `rank`. Time O(nodes + group), and a pass over the ranks of nodes that
    // are in several groups, of which some are below its lowest and some not.
    OwnGroup own(std::uint32_t rank) const;
    // Its ranks alone; none where it is in no group.
    Ranks members(std::uint32_t rank) const;

    // The lowest rank of each group, ascending. Memory O(count()).
    Ranks lowest_ranks() const;

    // Everybody's group, in the order in which groups were found, or -1; and by lowest ranks. Time and
    // memory O(P).
    std::vector<std::int32_t> groups() const;
    Split split() const { return split_by_number(groups()); }

private:
    void take_slots(const std::vector<std::vector<std::int32_t>>& slots);
    void take_nodes();
    template <class IdOf>
    void take_sharings(IdOf id_of);
    void take_parts_of_nodes();
    void take_parts_of_node();

    // The group of a process, or -1.
    std::int32_t group_at(std::size_t node, std::uint32_t seat) const {
        const std::int32_t slot = slot_of_seat_[seat];
        return slot < 0 ? Split::kNone
                        : group_of_slot(first_slot_[node] + static_cast<std::uint32_t>(slot));
    }
    std::int32_t group_of_slot(std::size_t slot) const {
        return group_of_slot_.empty() ? static_cast<std::int32_t>(slot) : group_of_slot_[slot];
    }
    bool is_whole(std::size_t node) const { return is_whole_[tree_->layout_number(node)]; }
    bool has_slot_of(std::size_t node, std::int32_t group) const;
    Ranks ranks_of(std::int32_t group) const;
    std::size_t num_groups_below(std::uint32_t rank) const;
    std::size_t num_singles_below(std::size_t end) const;

    const AddressTree* tree_;
    // The processes of a node are in slots, those of a seat in one or in none. A group is one slot, or
    // several.
    std::vector<std::uint32_t> first_slot_;    // by node, and behind the last
    std::vector<std::int32_t> slot_of_seat_;   // counted from its node's first; -1: none
    std::vector<bool> is_whole_;               // by layout: all seats are in the first slot
    std::vector<std::int32_t> group_of_slot_;  // or -1; empty: each is one
    std::size_t num_groups_ = 0;
    bool has_singles_ = false;
    std::size_t num_singles_ = 0;
    std::vector<std::string> types_;    // URIs by group; one: of all; none: "", or that of its part
    std::vector<std::uint32_t> parts_;  // of nodes, by group
};

// ---- nodes that an unguided split divides, in the order of positions ----

// The first node of each part of nodes [begin, end), and the end: the largest domains of network levels
// that are strict subsets, or nodes. end - begin > 1.
std::vector<std::uint32_t> parts_of_nodes(const AddressTree& tree, std::uint32_t begin,
                                          std::uint32_t end);

// The URI of the type that names such a part.
std::string type_of_nodes(const AddressTree& tree, const std::vector<ResourceType>& types,
                          const std::vector<std::uint32_t>& parts, std::size_t part);

}  // namespace hitopo

#endif
