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
#include "ompi/mca/hitopo/core/text/array.h"
#include "ompi/mca/hitopo/core/text/block.h"
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
    const Array<Seat>& seats() const { return seats_; }
    const Array<NodeLayout>& layouts() const { return layouts_; }
    std::uint32_t of_node(std::size_t node) const { return of_node_.empty() ? 0 : of_node_[node]; }

    // As a part of a block, and back.
    void write(BlockWriter& block) const;
    static NodeLayouts read(BlockReader& block);
    // Whether what was read has a layout for each of so many nodes, and the seats of each layout; a seat
    // can be anything.
    bool is_sound(std::size_t num_nodes) const;

private:
    friend class LayoutMaker;

    Array<Seat> seats_;
    Array<NodeLayout> layouts_;
    Array<std::uint32_t> of_node_;  // empty: all are of the first
};

// Lays out one node after the other.
class LayoutMaker {
public:
    // patterns: the dictionary's; must outlive this.
    explicit LayoutMaker(const std::vector<Pattern>& patterns) : patterns_(patterns) {}

    // The next nodes that are alike. own: the patterns of their processes by rank; first_node: the
    // lowest of them. Gives their seats, valid until the next call; layout() tells of which layout.
    const std::vector<std::uint32_t>& lay_out(const std::uint32_t* own, std::size_t num_processes,
                                              std::uint32_t first_node);
    std::uint32_t layout() const { return layout_; }

    // of_node: by node, as of layout().
    NodeLayouts take(std::vector<std::uint32_t> of_node);

private:
    // A process of the node: where it stands among those of its core, or of its pattern.
    struct Occupant {
        std::uint64_t order;
        std::uint32_t index;  // by rank
        std::uint32_t pattern;
    };

    Occupant occupant(std::uint32_t pattern, std::uint32_t index) const;
    void take_seats();
    std::uint32_t find_layout(std::uint32_t first_node);
    bool is_equal(const NodeLayout& layout) const;

    const std::vector<Pattern>& patterns_;
    std::vector<Seat> all_seats_;
    std::vector<NodeLayout> layouts_;
    std::uint32_t layout_ = 0;           // the latest
    FlatMap numbers_;                    // of layouts, by a hash of their seats
    std::vector<std::uint32_t> own_;     // the latest node's patterns,
    std::vector<std::uint32_t> result_;  // its processes' seats,
    std::vector<Seat> seats_;            // each once
    std::vector<Occupant> occupants_;
};

}  // namespace hitopo

#endif
