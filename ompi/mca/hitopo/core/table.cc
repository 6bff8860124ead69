// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

std::int32_t inner_value(const Placement& placement, Level level) {
    return level == kL2Numa ? placement.l2numa : level == kSocket ? placement.socket : placement.core;
}

}  // namespace

Table::Table(std::shared_ptr<const Dictionary> dictionary, const std::vector<Process>& processes)
    : dictionary_(std::move(dictionary)) {
    number_nodes(processes);
    group_by_node();
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
    std::vector<std::uint32_t> number(count.size(), 0);
    node_begin_.push_back(0);
    for (std::uint32_t node = 0; node < count.size(); ++node) {
        if (count[node] > 0) {
            number[node] = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back(node);
            node_begin_.push_back(node_begin_.back() + count[node]);
        }
    }
    entries_.reserve(processes.size());
    for (const Process& process : processes) {
        entries_.push_back({number[process.node], process.pattern, kUnknown});
    }
    known_[kNode] = Known::kAll;
    num_distinct_[kNode] = static_cast<std::int32_t>(nodes_.size());
}

void Table::group_by_node() {
    members_.resize(entries_.size());
    std::vector<std::uint32_t> next(node_begin_.begin(), node_begin_.end() - 1);
    for (std::uint32_t rank = 0; rank < entries_.size(); ++rank) {
        members_[next[entries_[rank].node]++] = rank;
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
    std::vector<bool> occurs(dictionary_->patterns.size(), false);
    for (const Entry& entry : entries_) {
        occurs[entry.pattern] = true;
    }
    for (const Level level : {kL2Numa, kSocket, kCore}) {
        DenseNumbers numbers;
        bool is_known = false;
        bool is_unknown = false;
        for (std::size_t i = 0; i < occurs.size(); ++i) {
            if (!occurs[i]) {
                continue;
            }
            const std::int32_t value = inner_value(dictionary_->patterns[i].placement, level);
            is_known |= value >= 0;
            is_unknown |= value < 0;
            if (value >= 0) {
                numbers.mark(value);
            }
        }
        numbers_[level] = numbers.take(num_distinct_[level]);
        known_[level] = !is_known ? Known::kNone : is_unknown ? Known::kSome : Known::kAll;
    }
    known_[kHwThread] = known_[kCore];
}

// The processes of one core are numbered by (hardware thread if bound to one, else last; rank).
void Table::number_hwthreads() {
    struct OnCore {
        std::pair<std::int32_t, std::int32_t> core;  // its socket and itself
        std::uint32_t thread;
        std::uint32_t rank;
    };
    std::vector<OnCore> on_node;
    std::int32_t max_number = 0;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        on_node.clear();
        for (const std::uint32_t* rank = members_begin(node); rank != members_end(node); ++rank) {
            const Placement& placement = pattern(*rank).placement;
            if (placement.core >= 0) {
                on_node.push_back({{placement.socket, placement.core},
                                   static_cast<std::uint32_t>(placement.hwthread),
                                   *rank});
            }
        }
        std::sort(on_node.begin(), on_node.end(), [](const OnCore& a, const OnCore& b) {
            return a.core != b.core       ? a.core < b.core
                   : a.thread != b.thread ? a.thread < b.thread
                                          : a.rank < b.rank;
        });
        for (std::size_t i = 0; i < on_node.size(); ++i) {
            std::int32_t& number = entries_[on_node[i].rank].hwthread;
            number = i > 0 && on_node[i].core == on_node[i - 1].core
                         ? entries_[on_node[i - 1].rank].hwthread + 1
                         : 0;
            max_number = std::max(max_number, number);
        }
    }
    num_distinct_[kHwThread] = known_[kHwThread] == Known::kNone ? 0 : max_number + 1;
}

Table Table::restrict_to(const std::vector<std::uint32_t>& ranks) const {
    std::vector<Process> processes;
    processes.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        processes.push_back({nodes_[entries_[rank].node], entries_[rank].pattern});
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
        address[level] = inner_value(placement, level);
    }
    address[kHwThread] = entry.hwthread;
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
