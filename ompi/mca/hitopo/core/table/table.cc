// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/table.h"

#include <algorithm>

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
    std::vector<std::uint32_t> count(dictionary_->nodes.size(), 0);
    for (const Process& process : processes) {
        ++count[process.node];
    }
    node_begin_.push_back(0);
    for (std::uint32_t node = 0; node < count.size(); ++node) {
        if (count[node] > 0) {
            nodes_.push_back(node);
            node_begin_.push_back(node_begin_.back() + count[node]);
        }
    }
    known_[kNode] = Known::kAll;
    num_distinct_[kNode] = static_cast<std::int32_t>(nodes_.size());
}

void Table::seat_processes(const std::vector<Process>& processes) {
    std::vector<std::uint32_t> next(dictionary_->nodes.size(),
                                    0);  // into members_, by the dictionary's nodes
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        next[nodes_[node]] = node_begin_[node];
    }
    std::vector<std::uint32_t> patterns(processes.size());  // beside members_
    members_.resize(processes.size());
    for (std::uint32_t rank = 0; rank < processes.size(); ++rank) {
        const std::uint32_t place = next[processes[rank].node]++;
        members_[place] = rank;
        patterns[place] = processes[rank].pattern;
    }
    entries_.resize(processes.size());
    LayoutMaker layout_maker(dictionary_->patterns, layouts_);
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        const std::uint32_t begin = node_begin_[node];
        const std::vector<std::uint32_t>& seats =
            layout_maker.lay_out(&patterns[begin], node_begin_[node + 1] - begin);
        for (std::size_t i = 0; i < seats.size(); ++i) {
            entries_[members_[begin + i]] = {node, seats[i]};
        }
    }
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
        processes.push_back({nodes_[entries_[rank].node], seat(rank).pattern});
    }
    return Table(dictionary_, processes);
}

Address Table::address(std::size_t rank) const {
    const Entry& entry = entries_[rank];
    const NodeInfo& info = node(rank);
    const Placement& placement = pattern(rank).placement;
    Address address;
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        address[level] = info.values[level];
    }
    address[kNode] = static_cast<std::int32_t>(entry.node);
    for (const Level level : {kL2Numa, kSocket, kCore}) {
        address[level] = placement[level];
    }
    address[kHwThread] = seat(rank).hwthread;
    for (const Level level : {kCluster, kIsland, kSwitch, kL2Numa, kSocket, kCore, kHwThread}) {
        if (known(level) == Known::kNone) {
            address[level] = 0;
        } else if (level != kHwThread && address[level] >= 0) {
            address[level] = numbers_[level][static_cast<std::size_t>(address[level])];
        }
    }
    return address;
}

const NodeInfo& Table::node(std::size_t rank) const { return node_info(entries_[rank].node); }

}  // namespace hitopo
