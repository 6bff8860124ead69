// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/table.h"

#include <algorithm>
#include <utility>

namespace hitopo {
// Marks what occurs, then numbers the marked densely in ascending order.
class Table::Marks {
public:
    // Memory from the lowest on: a communicator of few nodes is not to pay for those below it.
    explicit Marks(std::int32_t lowest = 0) : lowest_(lowest) {}

    void mark(std::int32_t value) {
        const auto index = static_cast<std::size_t>(value - lowest_);
        if (index >= occurs_.size()) {
            occurs_.resize(index + 1, false);
        }
        occurs_[index] = true;
    }

    Numbers take(std::int32_t& num_distinct) {
        Numbers out;
        num_distinct = static_cast<std::int32_t>(std::count(occurs_.begin(), occurs_.end(), true));
        const auto first = std::find(occurs_.begin(), occurs_.end(), true);
        out.first = lowest_ + static_cast<std::int32_t>(first - occurs_.begin());
        if (num_distinct < occurs_.end() - first) {
            std::vector<std::int32_t> numbers;
            std::int32_t next = 0;
            for (auto mark = first; mark != occurs_.end(); ++mark) {
                numbers.push_back(*mark ? next++ : kUnknown);
            }
            out.numbers = std::move(numbers);
        }
        return out;
    }

private:
    std::int32_t lowest_;
    std::vector<bool> occurs_;
};

Table::Table(std::shared_ptr<const Dictionary> dictionary, const Occupancy& occupancy)
    : dictionary_(std::move(dictionary)) {
    list_nodes(occupancy);
    seat_processes(occupancy);
    number_levels();
}

void Table::number_levels() {
    number_network();
    number_inner();
    number_hwthreads();
}

// The dictionary's nodes are in order, so those that occur keep it.
void Table::list_nodes(const Occupancy& occupancy) {
    num_nodes_ = occupancy.nodes.size();
    if (num_nodes_ == 0) {
        return;
    }
    first_listed_ = occupancy.nodes.front().node;
    if (occupancy.nodes.back().node - first_listed_ + 1 > num_nodes_) {
        std::vector<std::uint32_t> listed;
        listed.reserve(num_nodes_);
        for (const Occupancy::Node& node : occupancy.nodes) {
            listed.push_back(node.node);
        }
        listed_ = std::move(listed);
    }
}

// Nodes that are occupied alike are laid out once.
void Table::seat_processes(const Occupancy& occupancy) {
    struct Laid {
        bool is_done = false;
        std::uint32_t layout = 0, seats = 0;
    };
    std::vector<Laid> laid_of(occupancy.patterns.size());
    Sequences seats;
    LayoutMaker layout_maker(dictionary_->patterns());
    std::vector<std::uint32_t> layout_of_node;
    std::vector<RankMap::Occupied> occupied;
    layout_of_node.reserve(num_nodes_);
    occupied.reserve(num_nodes_);
    for (const Occupancy::Node& node : occupancy.nodes) {
        Laid& laid = laid_of[node.patterns];
        if (!laid.is_done) {
            laid.is_done = true;
            laid.seats = seats.number_of(layout_maker.lay_out(
                occupancy.patterns.begin(node.patterns), occupancy.patterns.length(node.patterns),
                static_cast<std::uint32_t>(occupied.size())));
            laid.layout = layout_maker.layout();
        }
        layout_of_node.push_back(laid.layout);
        occupied.push_back({&node.ranks, laid.seats});
    }
    layouts_ = layout_maker.take(std::move(layout_of_node));
    places_ = RankMap(occupied, seats, occupancy.num_processes);
}

// The lowest of the values that nodes know.
std::int32_t Table::lowest_value(Level level) const {
    std::int32_t lowest = INT32_MAX;
    for (std::size_t node = 0; node < num_nodes_; ++node) {
        const std::int32_t value = dictionary_->value_of(listed(node), level);
        lowest = value >= 0 ? std::min(lowest, value) : lowest;
    }
    return lowest == INT32_MAX ? 0 : lowest;
}

void Table::number_network() {
    known_[kNode] = Known::kAll;
    num_distinct_[kNode] = static_cast<std::int32_t>(num_nodes_);
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        Marks marks(lowest_value(level));
        std::size_t num_known = 0;
        for (std::size_t node = 0; node < num_nodes_; ++node) {
            const std::int32_t value = dictionary_->value_of(listed(node), level);
            if (value >= 0) {
                marks.mark(value);
                ++num_known;
            }
        }
        numbers_[level] = marks.take(num_distinct_[level]);
        set_known(level, num_known == 0            ? Known::kNone
                         : num_known == num_nodes_ ? Known::kAll
                                                   : Known::kSome);
    }
}

void Table::number_inner() {
    for (const Level level : {kL2Numa, kSocket, kCore}) {
        Marks marks;
        bool is_known = false;
        bool is_unknown = false;
        for (const Seat& seat : layouts_.seats()) {
            const std::int32_t value = dictionary_->patterns()[seat.pattern].placement[level];
            is_known |= value >= 0;
            is_unknown |= value < 0;
            if (value >= 0) {
                marks.mark(value);
            }
        }
        numbers_[level] = marks.take(num_distinct_[level]);
        set_known(level, !is_known ? Known::kNone : is_unknown ? Known::kSome : Known::kAll);
    }
}

void Table::number_hwthreads() {
    set_known(kHwThread, known(kCore));
    for (const Seat& seat : layouts_.seats()) {
        num_distinct_[kHwThread] = std::max(num_distinct_[kHwThread], seat.hwthread + 1);
    }
}

Table Table::restrict_to(const std::vector<std::uint32_t>& ranks) const {
    std::vector<Process> processes;
    processes.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        const RankMap::Place at = places_.place(rank);
        processes.push_back(
            {static_cast<std::uint32_t>(listed(at.node)), layouts_.seats()[at.seat].pattern});
    }
    return Table(dictionary_, Occupancy::of(processes));
}

void Table::set_known(Level level, Known known) {
    known_[level] = known;
    numbers_[level].unknown = known == Known::kNone ? 0 : kUnknown;
}

std::int32_t Table::network_number(std::size_t node, Level level) const {
    return level == kNode ? static_cast<std::int32_t>(node)
                          : numbers_[level][dictionary_->value_of(listed(node), level)];
}

Address Table::address(std::size_t rank) const {
    Address address;
    read(rank, address.data());
    return address;
}

// To take nanoseconds: no loop, no branch but those that go the same way at each call.
void Table::read(std::size_t rank, std::int32_t* address) const {
    const RankMap::Place at = places_.place(rank);
    const Seat& seat = layouts_.seats()[at.seat];
    const Placement& placement = dictionary_->patterns()[seat.pattern].placement;
    const auto& values = dictionary_->values_of(listed(at.node));
    address[kCluster] = numbers_[kCluster][values[kCluster]];
    address[kIsland] = numbers_[kIsland][values[kIsland]];
    address[kSwitch] = numbers_[kSwitch][values[kSwitch]];
    address[kNode] = static_cast<std::int32_t>(at.node);
    address[kL2Numa] = numbers_[kL2Numa][placement[kL2Numa]];
    address[kSocket] = numbers_[kSocket][placement[kSocket]];
    address[kCore] = numbers_[kCore][placement[kCore]];
    address[kHwThread] = numbers_[kHwThread][seat.hwthread];
}

std::vector<std::vector<std::uint32_t>> Table::members() const {
    std::vector<std::vector<std::uint32_t>> members(num_nodes());
    for (std::uint32_t rank = 0; rank < size(); ++rank) {
        members[node_number(rank)].push_back(rank);
    }
    return members;
}

}  // namespace hitopo
