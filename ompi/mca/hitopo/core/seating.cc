// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/seating.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hitopo {

// Mostly the node is like the one before, and all is known.
const std::vector<std::uint32_t>& Seater::seat(const std::uint32_t* own, std::size_t num_processes) {
    if (!out_.of_node_.empty() && std::equal(own_.begin(), own_.end(), own, own + num_processes)) {
        out_.of_node_.push_back(out_.of_node_.back());
        return result_;
    }
    own_.assign(own, own + num_processes);
    number_hwthreads();
    distinct_ = seats_;
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    out_.of_node_.push_back(find_seating());
    const std::uint32_t first = out_.seatings_[out_.of_node_.back()].first_seat;
    result_.clear();
    for (const Seat& seat : seats_) {
        const auto place = std::lower_bound(distinct_.begin(), distinct_.end(), seat);
        result_.push_back(first + static_cast<std::uint32_t>(place - distinct_.begin()));
    }
    return result_;
}

// The processes of one core are numbered by (hardware thread if bound to one, else last; rank).
void Seater::number_hwthreads() {
    struct OnCore {
        std::pair<std::int32_t, std::int32_t> core;  // its socket and itself
        std::uint32_t thread;
        std::uint32_t index;
    };
    std::vector<OnCore> on_core;
    seats_.clear();
    for (const std::uint32_t pattern : own_) {
        const Placement& placement = patterns_[pattern].placement;
        if (placement.core >= 0) {
            on_core.push_back({{placement.socket, placement.core},
                               static_cast<std::uint32_t>(placement.hwthread),
                               static_cast<std::uint32_t>(seats_.size())});
        }
        seats_.push_back({pattern, -1});
    }
    std::sort(on_core.begin(), on_core.end(), [](const OnCore& a, const OnCore& b) {
        return a.core != b.core       ? a.core < b.core
               : a.thread != b.thread ? a.thread < b.thread
                                      : a.index < b.index;
    });
    for (std::size_t i = 0; i < on_core.size(); ++i) {
        seats_[on_core[i].index].hwthread = i > 0 && on_core[i].core == on_core[i - 1].core
                                                ? seats_[on_core[i - 1].index].hwthread + 1
                                                : 0;
    }
}

std::uint32_t Seater::find_seating() {
    const std::string_view bytes(reinterpret_cast<const char*>(distinct_.data()),
                                 distinct_.size() * sizeof distinct_[0]);
    for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers_.number_of(hash);
        if (number == out_.seatings_.size()) {
            out_.seatings_.push_back({static_cast<std::uint32_t>(out_.seats_.size()),
                                      static_cast<std::uint32_t>(distinct_.size()),
                                      static_cast<std::uint32_t>(out_.of_node_.size())});
            out_.seats_.insert(out_.seats_.end(), distinct_.begin(), distinct_.end());
            return number;
        }
        if (is_equal(out_.seatings_[number])) {
            return number;
        }
    }
}

bool Seater::is_equal(const Seating& seating) const {
    const Seat* seats = &out_.seats_[seating.first_seat];
    return std::equal(distinct_.begin(), distinct_.end(), seats, seats + seating.num_seats);
}

}  // namespace hitopo
