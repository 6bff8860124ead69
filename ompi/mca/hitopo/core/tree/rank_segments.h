// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which node each rank is on, where ranks follow a rule, as by slot, by node, or several at a time.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_RANK_SEGMENTS_H
#define OMPI_MCA_HITOPO_CORE_TREE_RANK_SEGMENTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

class RankSegments {
public:
    struct Member {
        std::uint32_t node, index;  // the index-th rank of the node, ascending
    };

    // node_of: by rank, below num_nodes. Leaves this empty where it would have more than max_columns
    // columns. Time O(ranks).
    void divide(const std::vector<std::uint32_t>& node_of, std::size_t num_nodes,
                std::size_t max_columns);
    bool empty() const { return segments_.empty(); }

    Member member(std::uint32_t rank) const {
        const Segment& own = segments_.size() == 1 ? segments_[0] : segment_of(rank);
        const std::uint32_t offset = rank - own.begin;
        const std::uint32_t number = offset / own.block;
        const std::uint32_t row = number / own.num_columns;
        const Column& column = columns_[own.first_column + number - row * own.num_columns];
        return {column.node, column.first_index + row * own.block + offset - number * own.block};
    }
    std::uint32_t rank(Member member) const;

private:
    // Ranks from `begin` on: `block` of them on the node of each column, column after column, and again.
    struct Segment {
        std::uint32_t begin, block, num_columns, first_column;
    };
    struct Column {
        std::uint32_t node;
        std::uint32_t first_index;  // how many ranks the node has in segments before
    };

    const Segment& segment_of(std::uint32_t rank) const {
        return *(std::upper_bound(
                     segments_.begin(), segments_.end(), rank,
                     [](std::uint32_t own, const Segment& segment) { return own < segment.begin; }) -
                 1);
    }
    std::uint32_t add_segment(const std::vector<std::uint32_t>& node_of, std::uint32_t begin,
                              std::vector<std::uint32_t>& seen);
    void list_columns(std::size_t num_nodes);

    std::vector<Segment> segments_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t> columns_end_;  // by node, in columns_of_
    std::vector<std::uint32_t> columns_of_;   // node after node, ascending
};

}  // namespace hitopo

#endif
