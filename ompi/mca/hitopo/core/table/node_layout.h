// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How processes lie inside their nodes. Most nodes of a job are occupied alike, so that what follows
// from the places inside a node is worked out once for all nodes of one layout, not for each process.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_NODE_LAYOUT_H
#define OMPI_MCA_HITOPO_CORE_TABLE_NODE_LAYOUT_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// What can be told apart inside one node.
struct Seat {
    std::uint32_t pattern;  // index into the dictionary's patterns
    std::int32_t hwthread;  // number among the processes of its core; -1: the core is unknown

    friend bool operator==(const Seat& a, const Seat& b) {
        return a.pattern == b.pattern && a.hwthread == b.hwthread;
    }
};

// Nodes whose processes take the same set of seats.
struct NodeLayout {
    std::uint32_t first_seat;  // the seats of one layout stand together, each once
    std::uint32_t num_seats;
    std::uint32_t first_node;  // that was seated so
};

class NodeLayouts {
public:
    const std::vector<Seat>& seats() const { return seats_; }
    const std::vector<NodeLayout>& layouts() const { return layouts_; }
    std::uint32_t of_node(std::size_t node) const { return of_node_[node]; }

private:
    friend class LayoutMaker;

    std::vector<Seat> seats_;
    std::vector<NodeLayout> layouts_;
    std::vector<std::uint32_t> of_node_;
};

// Lays out one node after the other.
class LayoutMaker {
public:
    // patterns: the dictionary's; must outlive this.
    LayoutMaker(const std::vector<Pattern>& patterns, NodeLayouts& layouts)
        : patterns_(patterns), out_(layouts) {}

    // The next node. own: the patterns of its processes by rank. Gives their seats, valid until the
    // next call.
    const std::vector<std::uint32_t>& lay_out(const std::uint32_t* own, std::size_t num_processes);

private:
    // A process of the node: where it stands among those of its core, or of its pattern.
    struct Occupant {
        std::uint64_t order;
        std::uint32_t index;  // by rank
        std::uint32_t pattern;
    };

    Occupant occupant(std::uint32_t pattern, std::uint32_t index) const;
    void take_seats();
    std::uint32_t find_layout();
    bool is_equal(const NodeLayout& layout) const;

    const std::vector<Pattern>& patterns_;
    NodeLayouts& out_;
    FlatMap numbers_;                    // of layouts, by a hash of their seats
    std::vector<std::uint32_t> own_;     // the latest node's patterns,
    std::vector<std::uint32_t> result_;  // its processes' seats,
    std::vector<Seat> seats_;            // each once
    std::vector<Occupant> occupants_;
};

}  // namespace hitopo

#endif
