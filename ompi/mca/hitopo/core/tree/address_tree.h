// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The address tree of one communicator: its nodes in the order of their addresses, and the processes of
// a node by rank. A position is an index in that order of processes, so each cluster, island, switch and
// node is an interval of positions. Nodes that are occupied alike have one layout, of which everything
// inside a node is worked out once.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_ADDRESS_TREE_H
#define OMPI_MCA_HITOPO_CORE_TREE_ADDRESS_TREE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"
#include "ompi/mca/hitopo/core/tree/rank_map.h"

namespace hitopo {

inline constexpr std::int32_t kUnknown = -1;  // a number of an address

// The seat of one process of a layout. Seats of a layout stand in the order of their numbers.
struct TreeSeat {
    std::uint32_t place;                                     // index into JobFacts::places
    std::array<std::int32_t, kNumLevels - kL2Numa> numbers;  // of its address, l2numa to hwthread
};

struct TreeLayout {
    std::uint32_t first_seat, num_seats;  // seats() of the tree
    std::int32_t machine;                 // index into JobFacts::machines; -1: none
};

struct TreeNode {
    std::uint32_t first_position;
    std::uint32_t number;   // at level node
    std::uint32_t listed;   // index into JobFacts::nodes
    std::uint32_t branch;   // index into branches_ of the tree
    std::uint32_t seating;  // a layout, and the order in which ranks take its seats
};

// The node and places of each process, before there is a tree.
struct ProcessMap {
    struct Node {
        std::uint32_t node;      // index into JobFacts::nodes, each once
        std::uint32_t sequence;  // number of
    };
    std::vector<Node> nodes;
    Sequences sequences;                 // of JobFacts::places, by rank
    std::vector<std::uint32_t> node_of;  // by rank: index into nodes
};

class AddressTree {
public:
    // Time O(P + N log N) for P processes on N nodes, and O(sequences).
    AddressTree(std::shared_ptr<const JobFacts> facts, ProcessMap process_map);

    // The tree of a communicator whose process i is this tree's process ranks[i], each once.
    AddressTree restrict_to(const std::vector<std::uint32_t>& ranks) const;

    const JobFacts& facts() const { return *facts_; }
    std::int64_t identity() const { return facts_->identity; }
    std::size_t size() const { return size_; }

    // The address: 0..n-1 among the n distinct values that the communicator's processes have at that
    // level; kUnknown where this process does not know the level but others do; 0 if no process does.
    Address address(std::uint32_t rank) const {
        Address address;
        read(rank, address.data());
        return address;
    }
    // The same, into kNumLevels values.
    void read(std::uint32_t rank, std::int32_t* address) const;

    enum class Known { kNone, kSome, kAll };
    Known known(Level level) const { return known_[static_cast<std::size_t>(level)]; }
    // Distinct values at `level`; 0 if no process knows it.
    std::int32_t num_distinct(Level level) const {
        return num_distinct_[static_cast<std::size_t>(level)];
    }

    // ---- positions ----

    // In the order of positions. All that is called `node` below is an index into them.
    const std::vector<TreeNode>& nodes() const { return nodes_; }
    std::uint32_t node_at(std::uint32_t position) const;
    std::uint32_t position_of(std::uint32_t rank) const;
    std::uint32_t rank_at(std::uint32_t position) const;
    std::uint32_t lowest_rank(std::size_t node) const {
        return ranks_.rank({static_cast<std::uint32_t>(node), 0});
    }

    // Intervals of a level down to the node: positions whose addresses agree down to it, in a -1 too;
    // numbered in the order of positions.
    std::size_t num_intervals(Level level) const {
        return level == kNode ? nodes_.size() : intervals_[level].size();
    }
    std::uint32_t interval_at(Level level, std::uint32_t position) const;
    // For interval == num_intervals(level): size().
    std::uint32_t interval_begin(Level level, std::size_t interval) const {
        const std::size_t node = interval == num_intervals(level) ? nodes_.size()
                                 : level == kNode                 ? interval
                                                                  : intervals_[level][interval];
        return node < nodes_.size() ? nodes_[node].first_position : static_cast<std::uint32_t>(size_);
    }

    struct At {
        std::uint32_t node;
        std::uint32_t seat;  // index into seats()
    };
    At at(std::uint32_t rank) const;

    // visit(rank, seat) for the ranks of a node, ascending.
    template <class Visit>
    void for_each_in(std::size_t node, Visit visit) const {
        const TreeLayout& layout = layout_of(node);
        const std::uint32_t first_order = seatings_[nodes_[node].seating].first_order;
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            visit(ranks_.rank({static_cast<std::uint32_t>(node), i}),
                  layout.first_seat + orders_[first_order + i]);
        }
    }

    // ---- nodes and seats ----

    std::size_t listed(std::size_t node) const { return nodes_[node].listed; }
    // As in address(), of a level down to the node.
    std::int32_t network_number(std::size_t node, Level level) const {
        return level == kNode ? static_cast<std::int32_t>(nodes_[node].number)
                              : branches_[nodes_[node].branch][static_cast<std::size_t>(level)];
    }
    const std::vector<TreeLayout>& layouts() const { return layouts_; }
    std::uint32_t layout_number(std::size_t node) const {
        return seatings_[nodes_[node].seating].layout;
    }
    const TreeLayout& layout_of(std::size_t node) const { return layouts_[layout_number(node)]; }
    const std::vector<TreeSeat>& seats() const { return seats_; }
    const PlaceInNode& place(std::uint32_t seat) const { return facts_->places[seats_[seat].place]; }
    const JobFacts::Sharing& sharing(std::size_t node, std::uint32_t seat) const {
        return facts_->sharings[facts_->nodes[listed(node)].first_sharing + place(seat).sharing];
    }

private:
    struct Seating {
        std::uint32_t layout;
        std::uint32_t first_order;  // in orders_: by rank in the node, its seat in the layout
    };
    class Seater;

    void seat_processes(const Sequences& sequences);
    void list_nodes(ProcessMap& process_map);
    void number_levels();
    void number_level(Level level, const std::vector<std::int32_t*>& values);
    void list_intervals();

    std::shared_ptr<const JobFacts> facts_;
    std::size_t size_ = 0;
    std::vector<TreeNode> nodes_;
    std::vector<Branch> branches_;                             // equal ones follow each other
    std::array<std::vector<std::uint32_t>, kNode> intervals_;  // by level, the first node of each
    std::vector<TreeLayout> layouts_;
    std::vector<TreeSeat> seats_;
    std::vector<Seating> seatings_;
    std::vector<std::uint32_t> orders_;  // of seatings
    RankMap ranks_;
    std::array<Known, kNumLevels> known_ = {};
    std::array<std::int32_t, kNumLevels> num_distinct_ = {};
};

// The tree of num_processes >= 1 processes from the records of all of them: in any order and cut in
// any way give equal trees. identity: of the exchange. An error (kDisagree) where the records do not
// have each process once. Time O(P + N log N) for N nodes, and O(layouts).
Result<AddressTree> make_tree(const RecordMessage& message, std::size_t num_processes,
                              std::int64_t identity);

}  // namespace hitopo

#endif
