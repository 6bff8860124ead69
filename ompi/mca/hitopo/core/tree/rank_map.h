// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The node of each rank: in segments where ranks follow a rule, as by slot, by node, or several at a
// time, else one by one.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_RANK_MAP_H
#define OMPI_MCA_HITOPO_CORE_TREE_RANK_MAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

class RankMap {
public:
    struct Member {
        std::uint32_t node, index;  // the index-th rank of the node, ascending
    };

    RankMap() = default;
    // node_of: by rank, below num_nodes. Time O(ranks); memory O(nodes) where ranks follow a rule, at
    // most 8 bytes a rank else.
    RankMap(std::vector<std::uint32_t> node_of, std::size_t num_nodes);

    Member member(std::uint32_t rank) const;
    std::uint32_t rank(Member member) const;

private:
    // Ranks from `begin` on: `block` of them on the node of each column, column after column, and again.
    struct Segment {
        std::uint32_t begin, block, num_columns, first_column;
    };
    struct Column {
        std::uint32_t node;
        std::uint32_t first_index;  // number of the node's ranks in segments before
    };

    bool divide(const std::vector<std::uint32_t>& node_of, std::size_t num_nodes);
    std::uint32_t add_segment(const std::vector<std::uint32_t>& node_of, std::uint32_t begin,
                              std::vector<std::uint32_t>& seen);
    template <class NodeOf>
    void list_by_node(std::size_t num, std::size_t num_nodes, NodeOf node_of);
    // The last whose `start` is at most `number`.
    const Segment& segment_at(std::uint32_t Segment::*start, std::uint32_t number) const;

    std::vector<Segment> segments_;       // none: ranks follow no rule
    std::vector<Column> columns_;         // of segments
    std::vector<std::uint32_t> node_of_;  // by rank, without segments
    // Indices into columns_, or ranks without segments: node after node, ascending.
    std::vector<std::uint32_t> of_node_;
    std::vector<std::uint32_t> begin_of_node_;  // by node, and behind the last
};

}  // namespace hitopo

#endif
