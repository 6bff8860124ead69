// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/segments.h"

#include <algorithm>

namespace hitopo::coll {
namespace {

// The begin of part i of `num`: parts differ by one, or by `unit` where they begin at its multiples.
std::size_t begin_of_part(std::size_t count, int i, int num, std::size_t unit) {
    const auto n = static_cast<std::size_t>(num), part = static_cast<std::size_t>(i);
    const std::size_t begin = part * (count / n) + std::min(part, count % n);
    return i == num ? count : begin / unit * unit;
}

// All positions in an order in which consecutive ones lie in different children of the outermost group.
std::vector<int> alternating_positions(const Groups& groups) {
    std::vector<int> positions;
    if (groups.path().empty()) {
        return {0};
    }
    const Group& group = groups.path().front();
    for (int i = 0; static_cast<int>(positions.size()) < groups.size(); ++i) {
        for (int child = 0; child < group.num_children(); ++child) {
            const int position = group.child(child).first + i;
            if (group.child(child).holds(position)) {
                positions.push_back(position);
            }
        }
    }
    return positions;
}

}  // namespace

MessageSegments::MessageSegments(const Groups& groups, const TreeShape& shape, Roots roots, int root,
                                 std::size_t count, std::ptrdiff_t extent, int num, std::size_t unit)
    : groups_(groups),
      shape_(shape),
      roots_(roots),
      root_(root),
      count_(count),
      extent_(extent),
      unit_(unit) {
    num_segments = num;
    max_count = std::min(count, begin_of_part(count, 1, num, 1) + unit - 1);
}

std::size_t MessageSegments::begin_of(int index) const {
    return begin_of_part(count_, index, num_segments, unit_);
}

Segment MessageSegments::segment(int index) const {
    const std::size_t begin = begin_of(index);
    Segment segment;
    segment.input = advanced(input, begin, extent_);
    segment.output = advanced(output, begin, extent_);
    segment.has_output = has_output;
    segment.at = begin;
    segment.count = begin_of(index + 1) - begin;
    segment.route = route(static_cast<unsigned>(index));
    segment.route.part = part;
    return segment;
}

Route MessageSegments::route(unsigned turn) const {
    switch (roots_) {
        case Roots::kByProxies:
            return route_by_proxy(groups_, shape_, root_, turn);
        case Roots::kAll:
            return route_from_all(groups_, shape_, turn);
        case Roots::kOne:
            break;
    }
    return {root_, kNobody, turn};
}

std::vector<Block> equal_blocks(int num, std::size_t count) {
    std::vector<Block> blocks(static_cast<std::size_t>(num));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i] = {i * count, count};
    }
    return blocks;
}

BlockSegments::BlockSegments(const Groups& groups, const std::vector<Block>& blocks,
                             std::ptrdiff_t extent, std::size_t max_piece, std::size_t unit)
    : groups_(groups), extent_(extent) {
    std::vector<int> positions = alternating_positions(groups);
    for (int round = 0; !positions.empty(); ++round) {
        std::vector<int> unfinished;
        for (const int position : positions) {
            const Block& block = blocks[static_cast<std::size_t>(groups.rank_of(position))];
            const int num = static_cast<int>((block.count + max_piece - 1) / max_piece);
            if (round >= num) {
                continue;
            }
            const std::size_t begin = begin_of_part(block.count, round, num, unit);
            const std::size_t count = begin_of_part(block.count, round + 1, num, unit) - begin;
            pieces_.push_back({position, block.at + begin, begin, count});
            max_count = std::max(max_count, count);
            unfinished.push_back(position);
        }
        positions = std::move(unfinished);
    }
    num_segments = static_cast<int>(pieces_.size());
}

Segment BlockSegments::segment(int index) const {
    const Piece& piece = pieces_[static_cast<std::size_t>(index)];
    Segment segment;
    segment.at = piece.at;
    segment.count = piece.count;
    segment.route.root = piece.position;
    segment.route.turn = static_cast<unsigned>(index);
    segment.input = advanced(input, piece.at, extent_);
    segment.output =
        comes_down ? advanced(output, piece.at, extent_) : advanced(own_output, piece.own, extent_);
    segment.has_output = comes_down || piece.position == groups_.own_position();
    return segment;
}

}  // namespace hitopo::coll
