// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/seating.h"

#include <algorithm>
#include <string_view>

namespace hitopo {

// Mostly the node is like the one before, and all is known.
const std::vector<std::uint32_t>& Seater::seat(const std::uint32_t* own, std::size_t num_processes) {
    if (!out_.of_node_.empty() && std::equal(own_.begin(), own_.end(), own, own + num_processes)) {
        out_.of_node_.push_back(out_.of_node_.back());
        return result_;
    }
    own_.assign(own, own + num_processes);
    take_seats();
    out_.of_node_.push_back(find_seating());
    for (std::uint32_t& seat : result_) {
        seat += out_.seatings_[out_.of_node_.back()].first_seat;
    }
    return result_;
}

// The processes of one core stand together, in the order of (hardware thread if bound to one, else
// last; rank); those without a core stand last, by pattern.
Seater::Sitter Seater::sitter(std::uint32_t pattern, std::uint32_t index) const {
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

void Seater::take_seats() {
    sitters_.clear();
    for (const std::uint32_t pattern : own_) {
        sitters_.push_back(sitter(pattern, static_cast<std::uint32_t>(sitters_.size())));
    }
    std::sort(sitters_.begin(), sitters_.end(), [](const Sitter& a, const Sitter& b) {
        return a.order != b.order ? a.order < b.order : a.index < b.index;
    });
    seats_.clear();
    result_.resize(own_.size());
    const Placement* last = nullptr;
    for (const Sitter& sitter : sitters_) {
        const Placement& own = patterns_[sitter.pattern].placement;
        const bool is_on_last_core = last != nullptr && own[kCore] >= 0 &&
                                     own[kCore] == (*last)[kCore] && own[kSocket] == (*last)[kSocket];
        const std::int32_t hwthread = own[kCore] < 0    ? -1
                                      : is_on_last_core ? seats_.back().hwthread + 1
                                                        : 0;
        const Seat seat = {sitter.pattern, hwthread};
        if (last == nullptr || !(seat == seats_.back())) {
            seats_.push_back(seat);
        }
        result_[sitter.index] = static_cast<std::uint32_t>(seats_.size()) - 1;
        last = &own;
    }
}

std::uint32_t Seater::find_seating() {
    const std::string_view bytes(reinterpret_cast<const char*>(seats_.data()),
                                 seats_.size() * sizeof seats_[0]);
    for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers_.number_of(hash);
        if (number == out_.seatings_.size()) {
            out_.seatings_.push_back({static_cast<std::uint32_t>(out_.seats_.size()),
                                      static_cast<std::uint32_t>(seats_.size()),
                                      static_cast<std::uint32_t>(out_.of_node_.size())});
            out_.seats_.insert(out_.seats_.end(), seats_.begin(), seats_.end());
            return number;
        }
        if (is_equal(out_.seatings_[number])) {
            return number;
        }
    }
}

bool Seater::is_equal(const Seating& seating) const {
    const Seat* seats = &out_.seats_[seating.first_seat];
    return std::equal(seats_.begin(), seats_.end(), seats, seats + seating.num_seats);
}

}  // namespace hitopo
