// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/inner_depth.h"

#include <algorithm>

namespace hitopo {

InnerDepths::InnerDepths(const Table& table, const Division& division)
    : table_(table), division_(division), by_layout_(table.layouts().layouts().size()) {}

// Where no domains cross, other weights give the same parts.
std::size_t InnerDepths::of_node(std::uint32_t node) {
    const std::uint32_t number = table_.layouts().of_node(node);
    const NodeLayout& layout = layout_of(node);
    Depth& known = by_layout_[number];
    if (!known.is_known) {
        known = depth_of(number, Weights(layout.num_seats, 1));
        known.is_known = true;
    }
    if (!known.do_domains_cross || !has_shared_seats(layout)) {
        return known.depth;
    }
    const Weights weights = weights_of(node);
    const auto [found, is_new] = by_weights_.emplace(std::make_pair(number, weights), 0);
    if (is_new) {
        found->second = depth_of(number, weights).depth;
    }
    return found->second;
}

const NodeLayout& InnerDepths::layout_of(std::uint32_t node) const {
    return table_.layouts().layouts()[table_.layouts().of_node(node)];
}

InnerDepths::Depth InnerDepths::depth_of(std::size_t layout, Weights weights) const {
    struct Descent {
        Divider divider;
        Depth deepest;

        void descend(const Items& parent, std::size_t depth) {
            deepest.depth = std::max(deepest.depth, depth);
            const Parts parts = divider.divide(parent);
            deepest.do_domains_cross |= parts.do_domains_cross;
            for (std::size_t part = 0; part < parts.count(); ++part) {
                descend(parts.part(part), depth + 1);
            }
        }
    };
    const Items seats = all_items(weights.size());
    Descent descent = {division_.seats(layout, std::move(weights)), {}};
    descent.descend(seats, 0);
    return descent.deepest;
}

// Processes whose core is unknown share a seat with those of the same place.
bool InnerDepths::has_shared_seats(const NodeLayout& layout) const {
    const Seat* const seats = &table_.layouts().seats()[layout.first_seat];
    return std::any_of(seats, seats + layout.num_seats,
                       [](const Seat& seat) { return seat.hwthread < 0; });
}

InnerDepths::Weights InnerDepths::weights_of(std::uint32_t node) {
    if (weights_.empty()) {
        weigh();
    }
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(first_weight_[node]);
    return {begin, begin + layout_of(node).num_seats};
}

// As many as processes at most.
void InnerDepths::weigh() {
    std::size_t next = 0;
    for (std::uint32_t node = 0; node < table_.num_nodes(); ++node) {
        first_weight_.push_back(next);
        next += layout_of(node).num_seats;
    }
    weights_.assign(next, 0);
    table_.places().for_each([&](std::size_t, RankMap::Place at) {
        ++weights_[first_weight_[at.node] + at.seat - layout_of(at.node).first_seat];
    });
}

}  // namespace hitopo
