// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/node_layout.h"

#include <algorithm>
#include <string_view>

namespace hitopo {

// Mostly the node is like the one before, and all is known.
const std::vector<std::uint32_t>& LayoutMaker::lay_out(const std::uint32_t* own,
                                                       std::size_t num_processes) {
    if (!out_.of_node_.empty() && std::equal(own_.begin(), own_.end(), own, own + num_processes)) {
        out_.of_node_.push_back(out_.of_node_.back());
        return result_;
    }
    own_.assign(own, own + num_processes);
    take_seats();
    out_.of_node_.push_back(find_layout());
    for (std::uint32_t& seat : result_) {
        seat += out_.layouts_[out_.of_node_.back()].first_seat;
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

std::uint32_t LayoutMaker::find_layout() {
    const std::string_view bytes(reinterpret_cast<const char*>(seats_.data()),
                                 seats_.size() * sizeof seats_[0]);
    for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers_.number_of(hash);
        if (number == out_.layouts_.size()) {
            out_.layouts_.push_back({static_cast<std::uint32_t>(out_.seats_.size()),
                                     static_cast<std::uint32_t>(seats_.size()),
                                     static_cast<std::uint32_t>(out_.of_node_.size())});
            out_.seats_.insert(out_.seats_.end(), seats_.begin(), seats_.end());
            return number;
        }
        if (is_equal(out_.layouts_[number])) {
            return number;
        }
    }
}

bool LayoutMaker::is_equal(const NodeLayout& layout) const {
    const Seat* seats = &out_.seats_[layout.first_seat];
    return std::equal(seats_.begin(), seats_.end(), seats, seats + layout.num_seats);
}

}  // namespace hitopo
