// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits as data: the groups of a communicator's processes. ompi/communicator makes communicators of
// them.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_PARTITION_H
#define OMPI_MCA_HITOPO_CORE_TREE_PARTITION_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

using Ranks = std::vector<std::uint32_t>;  // of the communicator, ascending

// A split as one process sees it.
struct OwnGroup {
    Ranks ranks;               // empty: it is in no group
    std::int32_t number = -1;  // of its group
    std::string type;          // its group's resource type, a URI; "" where it has none
    std::size_t count = 0;     // of all groups
};

// Each process is in one group or in none; groups are numbered by their lowest ranks. 4 bytes a process:
// for splits in which each process chooses its group or none.
struct Split {
    static constexpr std::int32_t kNone = -1;
    std::vector<std::int32_t> group;  // by rank
    std::size_t count = 0;

    // The group of the process `rank`; its type is "".
    OwnGroup own(std::uint32_t rank) const;
};

// Processes of one color; 0: none.
Split split_by_color(const std::vector<std::int64_t>& colors);

// Any numbers of groups (below 0: none) by rank, numbered anew: without those that have no process, by
// their lowest ranks.
Split split_by_number(const std::vector<std::int32_t>& numbers);

// A split that follows from the tree, kept for nodes and seats, not for each process.
class Partition {
public:
    // All: the tree must outlive the result. Memory O(nodes + seats).

    // No process is in any group.
    explicit Partition(const AddressTree& tree)
        : tree_(&tree), slot_of_seat_(tree.seats().size(), Split::kNone) {}

    // The domains of a type: none of an unknown level.
    static Partition by_type(const AddressTree& tree, const ResourceType& type);

    // Processes that can share memory.
    static Partition by_shared_memory(const AddressTree& tree);

    // The domains of all types that nest, the largest strict subsets of the communicator; where two
    // cross, the larger, then that of the outer type stands whole. Each is named by min_domain.
    static Partition unguided(const AddressTree& tree);

    // Gives each process without a group one of its own: as Open MPI's own split types promise.
    void fill_with_singles();

    std::size_t count() const { return num_groups_ + num_singles_; }

    // The group of the process `rank`. Time as of members() and lowest_ranks().
    OwnGroup own(std::uint32_t rank) const;
    // Its ranks alone; none where it is in no group. Time O(nodes + group), and a look at a bit for each
    // rank.
    Ranks members(std::uint32_t rank) const;
    // The size of the group that has all of `ranks`, one at least; 0: none has. Time O(nodes + ranks).
    std::size_t num_around(const Ranks& ranks) const;

    // The lowest rank of each group, ascending. Memory O(count()); time O(nodes), and a pass over the
    // ranks of nodes that are not wholly in one group.
    Ranks lowest_ranks() const;

    // The group of each process, in the order in which groups were found, or -1; and by lowest ranks.
    // Time and memory O(P).
    std::vector<std::int32_t> groups() const;
    Split split() const { return split_by_number(groups()); }

private:
    using Slots = std::vector<std::int32_t>;  // by seat of a layout

    void take_slots(const std::function<Slots(const TreeLayout&)>& slots_of);
    void take_nodes();
    template <class IdOf>
    void take_sharings(IdOf id_of);

    std::int32_t group_of_slot(std::size_t slot) const {
        return group_of_slot_.empty() ? static_cast<std::int32_t>(slot) : group_of_slot_[slot];
    }
    // The group of a process, or -1.
    std::int32_t group_at(std::size_t node, std::uint32_t seat) const {
        const std::int32_t slot = slot_of_seat_[seat];
        return slot < 0 ? Split::kNone
                        : group_of_slot(first_slot_[node] + static_cast<std::uint32_t>(slot));
    }
    bool is_whole(std::size_t node) const {
        return num_groups_ > 0 && is_whole_[tree_->layout_number(node)] &&
               group_of_slot(first_slot_[node]) >= 0;
    }
    bool has_group(std::size_t node, std::int32_t group) const;

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
    std::string type_;  // URI of all groups; "": none, or each has its own
    bool is_unguided_ = false;
};

// The domains of a type inside nodes, by seat of a layout: numbered from 0 by instance, -1 where it is
// in none.
std::vector<std::int32_t> domains_in_layout(const AddressTree& tree, const ResourceType& type,
                                            const TreeLayout& layout);

// The URI of the type that nests whose domain is the smallest of those that hold all of `ranks` (one at
// least): that of the fewest processes, of equals of the fewest CPUs, of these the innermost type. ""
// for none.
std::string min_domain(const AddressTree& tree, const Ranks& ranks);

// ---- the whole hierarchy: the unguided split, that of this process's group in it, and so on ----

// ranks: of the whole communicator. number, count: among the children of the parent.
struct HierarchyStep : OwnGroup {
    Ranks roots;  // of the roots communicator; empty if this process is not in it
};

struct Hierarchy {
    std::vector<HierarchyStep> steps;  // of this process, the outermost first
    std::size_t depth = 0;             // the most steps that any process has
};

// The hierarchy of the process `rank`. Time and memory O(N + seats) for N nodes, and O(ranks) of this
// process's first group.
Hierarchy make_hierarchy(const AddressTree& tree, std::uint32_t rank);

}  // namespace hitopo

#endif
