// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/table.h"

#include <algorithm>
#include <numeric>

namespace hitopo {
namespace {

// Marks what occurs, then numbers the marked densely in ascending order.
class DenseNumbers {
public:
    void mark(std::int32_t value) {
        const auto index = static_cast<std::size_t>(value);
        if (index >= numbers_.size()) {
            numbers_.resize(index + 1, kUnknown);
        }
        numbers_[index] = 0;
    }

    // By raw value; kUnknown where it does not occur.
    std::vector<std::int32_t> take(std::int32_t& num_distinct) {
        num_distinct = 0;
        for (std::int32_t& number : numbers_) {
            if (number != kUnknown) {
                number = num_distinct++;
            }
        }
        return std::move(numbers_);
    }

private:
    std::vector<std::int32_t> numbers_;
};

}  // namespace

Table::Table(std::shared_ptr<const Dictionary> dictionary, const std::vector<Process>& processes)
    : dictionary_(std::move(dictionary)) {
    number_nodes(processes);
    seat_processes(processes);
    number_network();
    number_inner();
    number_hwthreads();
}

// The dictionary's nodes are in order, so those that occur keep it.
void Table::number_nodes(const std::vector<Process>& processes) {
    std::vector<bool> occurs(dictionary_->nodes.size(), false);
    for (const Process& process : processes) {
        occurs[process.node] = true;
    }
    for (std::uint32_t node = 0; node < occurs.size(); ++node) {
        if (occurs[node]) {
            nodes_.push_back(node);
        }
    }
    known_[kNode] = Known::kAll;
    num_distinct_[kNode] = static_cast<std::int32_t>(nodes_.size());
}

void Table::seat_processes(const std::vector<Process>& processes) {
    std::vector<std::uint32_t> number(dictionary_->nodes.size(), 0);  // by the dictionary's nodes
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        number[nodes_[node]] = node;
    }
    std::vector<std::uint32_t> begin(nodes_.size() + 1, 0);  // into by_node
    for (const Process& process : processes) {
        ++begin[number[process.node] + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1), by_node(processes.size()),
        patterns(processes.size());
    for (std::uint32_t rank = 0; rank < processes.size(); ++rank) {
        const std::uint32_t at = next[number[processes[rank].node]]++;
        by_node[at] = rank;
        patterns[at] = processes[rank].pattern;
    }
    std::vector<RankMap::Place> places(processes.size());
    LayoutMaker layout_maker(dictionary_->patterns, layouts_);
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        const std::vector<std::uint32_t>& seats =
            layout_maker.lay_out(&patterns[begin[node]], begin[node + 1] - begin[node]);
        for (std::size_t i = 0; i < seats.size(); ++i) {
            places[by_node[begin[node] + i]] = {node, seats[i]};
        }
    }
    places_ = RankMap(places);
}

void Table::number_network() {
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        DenseNumbers numbers;
        std::size_t num_known = 0;
        for (const std::uint32_t node : nodes_) {
            const std::int32_t value = dictionary_->nodes[node].values[level];
            if (value >= 0) {
                numbers.mark(value);
                ++num_known;
            }
        }
        numbers_[level] = numbers.take(num_distinct_[level]);
        known_[level] = num_known == 0               ? Known::kNone
                        : num_known == nodes_.size() ? Known::kAll
                                                     : Known::kSome;
    }
}

void Table::number_inner() {
    for (const Level level : {kL2Numa, kSocket, kCore}) {
        DenseNumbers numbers;
        bool is_known = false;
        bool is_unknown = false;
        for (const Seat& seat : layouts_.seats()) {
            const std::int32_t value = dictionary_->patterns[seat.pattern].placement[level];
            is_known |= value >= 0;
            is_unknown |= value < 0;
            if (value >= 0) {
                numbers.mark(value);
            }
        }
        numbers_[level] = numbers.take(num_distinct_[level]);
        known_[level] = !is_known ? Known::kNone : is_unknown ? Known::kSome : Known::kAll;
    }
}

void Table::number_hwthreads() {
    known_[kHwThread] = known_[kCore];
    for (const Seat& seat : layouts_.seats()) {
        num_distinct_[kHwThread] = std::max(num_distinct_[kHwThread], seat.hwthread + 1);
    }
}

Table Table::restrict_to(const std::vector<std::uint32_t>& ranks) const {
    std::vector<Process> processes;
    processes.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        const RankMap::Place at = places_.place(rank);
        processes.push_back({nodes_[at.node], layouts_.seats()[at.seat].pattern});
    }
    return Table(dictionary_, processes);
}

std::int32_t Table::network_number(std::size_t node, Level level) const {
    return level == kNode ? static_cast<std::int32_t>(node)
                          : number_of(level, node_info(node).values[level]);
}

std::int32_t Table::number_of(Level level, std::int32_t value) const {
    return known(level) == Known::kNone ? 0
           : value < 0                  ? kUnknown
                                        : numbers_[level][static_cast<std::size_t>(value)];
}

Address Table::address(std::size_t rank) const {
    const RankMap::Place at = places_.place(rank);
    const Seat& seat = layouts_.seats()[at.seat];
    const Placement& placement = dictionary_->patterns[seat.pattern].placement;
    Address address;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        address[level] = network_number(at.node, level);
    }
    for (const Level level : {kL2Numa, kSocket, kCore}) {
        address[level] = number_of(level, placement[level]);
    }
    address[kHwThread] = known(kHwThread) == Known::kNone ? 0 : seat.hwthread;
    return address;
}

const NodeInfo& Table::node(std::size_t rank) const { return node_info(node_number(rank)); }

std::vector<std::vector<std::uint32_t>> Table::members() const {
    std::vector<std::vector<std::uint32_t>> members(num_nodes());
    for (std::uint32_t rank = 0; rank < size(); ++rank) {
        members[node_number(rank)].push_back(rank);
    }
    return members;
}

}  // namespace hitopo
