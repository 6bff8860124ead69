// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/rank_segments.h"

namespace hitopo {

void RankSegments::divide(const std::vector<std::uint32_t>& node_of, std::size_t num_nodes,
                          std::size_t max_columns) {
    std::vector<std::uint32_t> seen(num_nodes, 0);   // in which segment last, from 1
    std::vector<std::uint32_t> count(num_nodes, 0);  // of ranks so far
    for (std::uint32_t begin = 0; begin < node_of.size();) {
        const std::size_t first_column = columns_.size();
        const std::uint32_t end = add_segment(node_of, begin, seen);
        if (columns_.size() > max_columns) {
            *this = {};
            return;
        }
        for (std::size_t column = first_column; column < columns_.size(); ++column) {
            columns_[column].first_index = count[columns_[column].node];
        }
        for (; begin < end; ++begin) {
            ++count[node_of[begin]];
        }
    }
    columns_.shrink_to_fit();
    list_columns(num_nodes);
}

// The longest from `begin` on; gives its end. Its columns end before a node that had its turn. If that
// is the first, the others follow in theirs.
std::uint32_t RankSegments::add_segment(const std::vector<std::uint32_t>& node_of, std::uint32_t begin,
                                        std::vector<std::uint32_t>& seen) {
    const auto size = static_cast<std::uint32_t>(node_of.size());
    const auto end_of_block = [&](std::uint32_t at) {
        std::uint32_t end = at;
        while (end < size && node_of[end] == node_of[at]) {
            ++end;
        }
        return end;
    };
    const std::uint32_t block = end_of_block(begin) - begin;
    const auto first_column = static_cast<std::uint32_t>(columns_.size());
    segments_.push_back({begin, block, 0, first_column});
    const auto number = static_cast<std::uint32_t>(segments_.size());
    std::uint32_t at = begin;
    for (; at < size && seen[node_of[at]] != number && end_of_block(at) == at + block; at += block) {
        seen[node_of[at]] = number;
        columns_.push_back({node_of[at], 0});
    }
    segments_.back().num_columns = static_cast<std::uint32_t>(columns_.size()) - first_column;
    if (at < size && node_of[at] == node_of[begin]) {
        const std::uint32_t period = at - begin;
        while (at < size && node_of[at] == node_of[at - period]) {
            ++at;
        }
    }
    return at;
}

void RankSegments::list_columns(std::size_t num_nodes) {
    std::vector<std::uint32_t> next(num_nodes + 1, 0);
    for (const Column& column : columns_) {
        ++next[column.node + 1];
    }
    for (std::size_t node = 0; node < num_nodes; ++node) {
        next[node + 1] += next[node];
    }
    columns_of_.resize(columns_.size());
    for (std::uint32_t column = 0; column < columns_.size(); ++column) {
        columns_of_[next[columns_[column].node]++] = column;
    }
    next.pop_back();
    columns_end_ = std::move(next);
}

std::uint32_t RankSegments::rank(Member member) const {
    const std::uint32_t* const begin =
        columns_of_.data() + (member.node == 0 ? 0 : columns_end_[member.node - 1]);
    const std::uint32_t* const end = columns_of_.data() + columns_end_[member.node];
    const std::uint32_t column = *(std::upper_bound(begin, end, member.index,
                                                    [this](std::uint32_t index, std::uint32_t other) {
                                                        return index < columns_[other].first_index;
                                                    }) -
                                   1);
    const Segment& own = *(std::upper_bound(segments_.begin(), segments_.end(), column,
                                            [](std::uint32_t number, const Segment& segment) {
                                                return number < segment.first_column;
                                            }) -
                           1);
    const std::uint32_t index = member.index - columns_[column].first_index;
    const std::uint32_t row = index / own.block;
    return own.begin + (row * own.num_columns + column - own.first_column) * own.block +
           index % own.block;
}

}  // namespace hitopo
