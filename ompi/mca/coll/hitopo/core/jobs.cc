// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/jobs.h"

#include <algorithm>

namespace hitopo::coll {
namespace {

// Where part i of `num` begins: the first ones are longer by one.
std::size_t begin_of_part(std::size_t count, int i, int num) {
    const auto n = static_cast<std::size_t>(num), part = static_cast<std::size_t>(i);
    return part * (count / n) + std::min(part, count % n);
}

std::size_t longest_part(std::size_t count, int num) { return begin_of_part(count, 1, num); }

template <class Char>
Char* advanced(Char* base, std::size_t count, std::ptrdiff_t extent) {
    return base == nullptr ? nullptr : base + static_cast<std::ptrdiff_t>(count) * extent;
}

// All positions, so that consecutive ones lie in different children of the outermost group.
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

CutMessage::CutMessage(const Groups& groups, const TreeShape& shape, Roots roots, int root,
                       std::size_t count, std::ptrdiff_t extent, int num)
    : groups_(groups), shape_(shape), roots_(roots), root_(root), count_(count), extent_(extent) {
    num_segments = num;
    max_count = longest_part(count, num);
}

std::size_t CutMessage::begin_of(int index) const { return begin_of_part(count_, index, num_segments); }

Segment CutMessage::segment(int index) const {
    const std::size_t begin = begin_of(index);
    Segment segment;
    segment.input = advanced(input, begin, extent_);
    segment.output = advanced(output, begin, extent_);
    segment.count = begin_of(index + 1) - begin;
    segment.route = route(static_cast<unsigned>(index));
    segment.route.first_depth = first_depth;
    return segment;
}

Route CutMessage::route(unsigned turn) const {
    switch (roots_) {
        case Roots::kByProxies:
            return route_by_proxy(groups_, shape_, root_, turn);
        case Roots::kAll:
            return route_from_all(groups_, shape_, turn);
        case Roots::kOne:
            break;
    }
    return {root_, kNobody, turn, 0};
}

RootedBlocks::RootedBlocks(const Groups& groups, std::size_t block, std::ptrdiff_t extent,
                           int num_pieces)
    : groups_(groups),
      positions_(alternating_positions(groups)),
      block_(block),
      extent_(extent),
      num_pieces_(num_pieces) {
    num_segments = num_pieces * static_cast<int>(positions_.size());
    max_count = longest_part(block, num_pieces);
}

Segment RootedBlocks::segment(int index) const {
    const int num_positions = static_cast<int>(positions_.size());
    const int position = positions_[static_cast<std::size_t>(index % num_positions)];
    const int piece = index / num_positions;
    const std::size_t begin = begin_of_part(block_, piece, num_pieces_);
    const std::size_t at = static_cast<std::size_t>(groups_.rank_of(position)) * block_ + begin;
    Segment segment;
    segment.count = begin_of_part(block_, piece + 1, num_pieces_) - begin;
    segment.route.root = position;
    segment.route.turn = static_cast<unsigned>(index);
    segment.input = advanced(input, at, extent_);
    if (output != nullptr) {
        segment.output = advanced(output, at, extent_);
    } else if (position == groups_.own_position()) {
        segment.output = advanced(own_output, begin, extent_);
    }
    return segment;
}

}  // namespace hitopo::coll
