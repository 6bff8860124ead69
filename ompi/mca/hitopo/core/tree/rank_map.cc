// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/rank_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hitopo {

RankMap::RankMap(std::vector<std::uint32_t> node_of, std::size_t num_nodes) {
    if (divide(node_of, num_nodes)) {
        list_by_node(columns_.size(), num_nodes, [&](std::size_t i) { return columns_[i].node; });
    } else {
        *this = {};
        node_of_ = std::move(node_of);
        node_of_.shrink_to_fit();
        list_by_node(node_of_.size(), num_nodes, [&](std::size_t rank) { return node_of_[rank]; });
    }
}

// False where segments would take more memory than the ranks themselves.
bool RankMap::divide(const std::vector<std::uint32_t>& node_of, std::size_t num_nodes) {
    std::vector<std::uint32_t> seen(num_nodes, 0);   // its last segment, from 1
    std::vector<std::uint32_t> count(num_nodes, 0);  // of ranks so far
    for (std::uint32_t begin = 0; begin < node_of.size();) {
        const std::size_t first_column = columns_.size();
        const std::uint32_t end = add_segment(node_of, begin, seen);
        if (columns_.size() > node_of.size() / 2 + 1) {
            return false;
        }
        for (std::size_t column = first_column; column < columns_.size(); ++column) {
            columns_[column].first_index = count[columns_[column].node];
        }
        for (; begin < end; ++begin) {
            ++count[node_of[begin]];
        }
    }
    columns_.shrink_to_fit();
    return true;
}

// Adds the longest segment from `begin` on; gives its end. Its columns end before a node that had its
// turn. If that is the first, the others follow in theirs.
std::uint32_t RankMap::add_segment(const std::vector<std::uint32_t>& node_of, std::uint32_t begin,
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

template <class NodeOf>
void RankMap::list_by_node(std::size_t num, std::size_t num_nodes, NodeOf node_of) {
    begin_of_node_.assign(num_nodes + 1, 0);
    for (std::size_t i = 0; i < num; ++i) {
        ++begin_of_node_[node_of(i) + 1];
    }
    std::partial_sum(begin_of_node_.begin(), begin_of_node_.end(), begin_of_node_.begin());
    std::vector<std::uint32_t> next = begin_of_node_;
    of_node_.resize(num);
    for (std::uint32_t i = 0; i < num; ++i) {
        of_node_[next[node_of(i)]++] = i;
    }
}

const RankMap::Segment& RankMap::segment_at(std::uint32_t Segment::*start, std::uint32_t number) const {
    const auto is_before = [=](std::uint32_t own, const Segment& other) { return own < other.*start; };
    return *(std::upper_bound(segments_.begin(), segments_.end(), number, is_before) - 1);
}

RankMap::Member RankMap::member(std::uint32_t rank) const {
    if (segments_.empty()) {
        const std::uint32_t node = node_of_[rank];
        const auto begin = of_node_.begin() + begin_of_node_[node];
        const auto own = std::lower_bound(begin, of_node_.begin() + begin_of_node_[node + 1], rank);
        return {node, static_cast<std::uint32_t>(own - begin)};
    }
    const Segment& own = segment_at(&Segment::begin, rank);
    const std::uint32_t offset = rank - own.begin;
    const std::uint32_t number = offset / own.block;
    const std::uint32_t row = number / own.num_columns;
    const Column& column = columns_[own.first_column + number - row * own.num_columns];
    return {column.node, column.first_index + row * own.block + offset - number * own.block};
}

std::uint32_t RankMap::rank(Member member) const {
    const auto begin = of_node_.begin() + begin_of_node_[member.node];
    if (segments_.empty()) {
        return begin[member.index];
    }
    const auto is_before = [this](std::uint32_t index, std::uint32_t column) {
        return index < columns_[column].first_index;
    };
    const auto end = of_node_.begin() + begin_of_node_[member.node + 1];
    const std::uint32_t column = *(std::upper_bound(begin, end, member.index, is_before) - 1);
    const Segment& own = segment_at(&Segment::first_column, column);
    const std::uint32_t index = member.index - columns_[column].first_index;
    const std::uint32_t row = index / own.block;
    return own.begin + (row * own.num_columns + column - own.first_column) * own.block +
           index % own.block;
}

}  // namespace hitopo
