// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/node_layout.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hitopo {

void NodeLayouts::write(BlockWriter& block) const {
    block.put(seats_);
    block.put(layouts_);
    block.put(of_node_);
}

NodeLayouts NodeLayouts::read(BlockReader& block) {
    NodeLayouts layouts;
    layouts.seats_ = block.get<Seat>();
    layouts.layouts_ = block.get<NodeLayout>();
    layouts.of_node_ = block.get<std::uint32_t>();
    return layouts;
}

bool NodeLayouts::is_sound(std::size_t num_nodes) const {
    if ((of_node_.empty() ? num_nodes > 0 && layouts_.empty() : of_node_.size() != num_nodes) ||
        std::any_of(of_node_.begin(), of_node_.end(),
                    [this](std::uint32_t layout) { return layout >= layouts_.size(); })) {
        return false;
    }
    std::size_t next = 0;  // seat
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        const NodeLayout& layout = layouts_[i];
        if (layout.first_seat != next || layout.first_node >= num_nodes ||
            of_node(layout.first_node) != i) {
            return false;
        }
        next += layout.num_seats;
    }
    return next == seats_.size();
}

NodeLayouts LayoutMaker::take(std::vector<std::uint32_t> of_node) {
    NodeLayouts layouts;
    layouts.seats_ = std::move(all_seats_);
    if (layouts_.size() > 1) {
        layouts.of_node_ = std::move(of_node);
    }
    layouts.layouts_ = std::move(layouts_);
    return layouts;
}

const std::vector<std::uint32_t>& LayoutMaker::lay_out(const std::uint32_t* own,
                                                       std::size_t num_processes,
                                                       std::uint32_t first_node) {
    own_.assign(own, own + num_processes);
    take_seats();
    layout_ = find_layout(first_node);
    for (std::uint32_t& seat : result_) {
        seat += layouts_[layout_].first_seat;
    }
    return result_;
}

// The processes of one core stand together, in the order of (hardware thread if bound to one, else
// last; rank); those without a core stand last, by pattern.
LayoutMaker::Occupant LayoutMaker::occupant(std::uint32_t pattern, std::uint32_t index) const {
    constexpr int kBits = 20;  // of a number among siblings
    constexpr std::uint64_t kLast = (1 << kBits) - 1;
    const Placement& placement = patterns_[pattern].placement;
    if (placement[kCore] < 0) {
        return {std::uint64_t{1} << 63 | pattern, index, pattern};
    }
    const std::uint64_t core = static_cast<std::uint64_t>(placement[kSocket] + 1) << kBits |
                               static_cast<std::uint64_t>(placement[kCore]);
    const std::uint64_t thread =
        placement[kHwThread] < 0 ? kLast : static_cast<std::uint64_t>(placement[kHwThread]);
    return {core << kBits | thread, index, pattern};
}

void LayoutMaker::take_seats() {
    occupants_.clear();
    for (const std::uint32_t pattern : own_) {
        occupants_.push_back(occupant(pattern, static_cast<std::uint32_t>(occupants_.size())));
    }
    std::sort(occupants_.begin(), occupants_.end(), [](const Occupant& a, const Occupant& b) {
        return a.order != b.order ? a.order < b.order : a.index < b.index;
    });
    seats_.clear();
    result_.resize(own_.size());
    const Placement* last = nullptr;
    for (const Occupant& occupant : occupants_) {
        const Placement& own = patterns_[occupant.pattern].placement;
        const bool is_on_last_core = last != nullptr && own[kCore] >= 0 &&
                                     own[kCore] == (*last)[kCore] && own[kSocket] == (*last)[kSocket];
        const std::int32_t hwthread = own[kCore] < 0    ? -1
                                      : is_on_last_core ? seats_.back().hwthread + 1
                                                        : 0;
        const Seat seat = {occupant.pattern, hwthread};
        if (last == nullptr || !(seat == seats_.back())) {
            seats_.push_back(seat);
        }
        result_[occupant.index] = static_cast<std::uint32_t>(seats_.size()) - 1;
        last = &own;
    }
}

std::uint32_t LayoutMaker::find_layout(std::uint32_t first_node) {
    const std::string_view bytes(reinterpret_cast<const char*>(seats_.data()),
                                 seats_.size() * sizeof seats_[0]);
    for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers_.number_of(hash);
        if (number == layouts_.size()) {
            layouts_.push_back({static_cast<std::uint32_t>(all_seats_.size()),
                                static_cast<std::uint32_t>(seats_.size()), first_node});
            all_seats_.insert(all_seats_.end(), seats_.begin(), seats_.end());
            return number;
        }
        if (is_equal(layouts_[number])) {
            return number;
        }
    }
}

bool LayoutMaker::is_equal(const NodeLayout& layout) const {
    const Seat* seats = &all_seats_[layout.first_seat];
    return std::equal(seats_.begin(), seats_.end(), seats, seats + layout.num_seats);
}

}  // namespace hitopo
