// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The counters of one thread: for each kind of communicator, and for each other process; and the orders
// of grids and graphs. Ticks are the profiler's unit of time.
#ifndef PROFILER_TRAFFIC_COUNTERS_H
#define PROFILER_TRAFFIC_COUNTERS_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "profiler/record/record.h"

namespace hitopo {

struct FunctionCount {
    std::size_t function = 0;
    std::uint64_t count = 0, bytes = 0, ticks = 0;
};

// One message. world_rank: in MPI_COMM_WORLD; negative outside of it.
struct Message {
    int world_rank;
    Lane lane;
    std::uint64_t bytes;
};

inline void add_to(MessageCount& sum, const MessageCount& more) {
    sum.messages += more.messages;
    sum.bytes += more.bytes;
}

inline void add_to(PerLane& sums, const PerLane& more) {
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        sums[lane] += more[lane];
    }
}

inline std::uint64_t sum_of(const PerLane& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

// The messages of one process that really crossed each lane for collective calls, if the component that
// served them reports these.
struct Crossings {
    PerLane messages, bytes;

    void add(Lane lane, std::uint64_t num_bytes) {
        ++messages[static_cast<std::size_t>(lane)];
        bytes[static_cast<std::size_t>(lane)] += num_bytes;
    }
};

// Sums over all served calls of a function: flat_bytes is FlatSend's for these.
struct FunctionCrossings {
    std::size_t function = 0;
    std::uint64_t count = 0;
    PerLane messages{}, bytes{}, flat_bytes{};
};

// For one kind of communicators.
class KindCounters {
public:
    explicit KindCounters(std::size_t num_functions) : places_(num_functions) {}

    void add_call(std::size_t function, std::uint64_t count, std::uint64_t bytes, std::uint64_t ticks) {
        FunctionCount& call = find(function);
        call.count += count;
        call.bytes += bytes;
        call.ticks += ticks;
    }
    void add_message(const Message& message) {
        add_to(lanes_[static_cast<std::size_t>(message.lane)], {1, message.bytes});
        add_to(sizes_[bits_of(message.bytes)], {1, message.bytes});
    }
    void add_collective(const PerLane& bytes) { add_to(collective_bytes_, bytes); }
    // count: 0 for more of a call that was added.
    void add_served(std::size_t function, std::uint64_t count, const Crossings& crossings,
                    const PerLane& flat_bytes);
    void add(const KindCounters& more);

    const std::vector<FunctionCount>& calls() const { return calls_; }  // in the order of first sight
    const std::array<MessageCount, kNumLanes>& lanes() const { return lanes_; }
    const PerLane& collective_bytes() const { return collective_bytes_; }
    const std::vector<FunctionCrossings>& served() const { return served_; }

    // By the number of bits of a message's length.
    static constexpr std::size_t kNumSizes = 65;
    const std::array<MessageCount, kNumSizes>& sizes() const { return sizes_; }

private:
    static std::size_t bits_of(std::uint64_t bytes) {
        return bytes == 0 ? 0 : 64 - static_cast<std::size_t>(__builtin_clzll(bytes));
    }
    // A kind has a few functions of hundreds.
    FunctionCount& find(std::size_t function) {
        std::uint16_t& place = places_[function];
        if (place == 0) {
            calls_.push_back({function});
            place = static_cast<std::uint16_t>(calls_.size());
        }
        return calls_[place - 1u];
    }

    std::vector<std::uint16_t> places_;  // of each function among calls_, from 1 on; 0: none
    std::vector<FunctionCount> calls_;
    std::array<MessageCount, kNumLanes> lanes_{};
    std::array<MessageCount, kNumSizes> sizes_{};
    PerLane collective_bytes_{};
    std::vector<FunctionCrossings> served_;  // a few
};

// Messages by rank in MPI_COMM_WORLD.
class Pairs {
public:
    void add(const PeerCount& more) {
        if (last_ >= counts_.size() || counts_[last_].rank != more.rank) {
            find(more.rank);
        }
        counts_[last_].messages += more.messages;
        counts_[last_].bytes += more.bytes;
    }

    const std::vector<PeerCount>& counts() const { return counts_; }  // in the order of first sight
    std::vector<PeerCount> by_rank() const {
        std::vector<PeerCount> sorted = counts_;
        std::sort(sorted.begin(), sorted.end(),
                  [](const PeerCount& a, const PeerCount& b) { return a.rank < b.rank; });
        return sorted;
    }

private:
    void find(int rank);

    FlatMap numbers_;  // of ranks among counts_
    std::vector<PeerCount> counts_;
    std::size_t last_ = 0;
};

class Counters {
public:
    Counters(std::size_t max_kinds, std::size_t num_functions)
        : num_functions_(num_functions), kinds_(max_kinds) {}

    // Those of the kind of that number; made where there are none.
    KindCounters& of(std::size_t kind) { return kinds_[kind] != nullptr ? *kinds_[kind] : make(kind); }
    void add_message(KindCounters& kind, const Message& message) {
        kind.add_message(message);
        if (message.world_rank >= 0) {
            pairs_.add({message.world_rank, 1, message.bytes});
        } else {
            add_to(unknown_, {1, message.bytes});
        }
    }
    void add(const Counters& more);

    // By number; null where nothing was counted.
    const std::vector<std::unique_ptr<KindCounters>>& kinds() const { return kinds_; }
    const Pairs& pairs() const { return pairs_; }
    const MessageCount& unknown() const { return unknown_; }  // outside of MPI_COMM_WORLD
    // Sums over all calls.
    FunctionCount total() const;

private:
    KindCounters& make(std::size_t kind);

    std::size_t num_functions_;
    std::vector<std::unique_ptr<KindCounters>> kinds_;
    Pairs pairs_;
    MessageCount unknown_;
};

// The gains of orders of grids and graphs: equal ones of a process once, with their number.
class Orders {
public:
    // A program that makes a grid of another shape each time has no use for a list of them.
    static constexpr std::size_t kMaxKinds = 64;

    void add(OrderCount order) {
        const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const OrderCount& kind) {
            return kind.what() == order.what();
        });
        if (known != kinds_.end()) {
            known->count += order.count;
        } else if (kinds_.size() < kMaxKinds) {
            kinds_.push_back(std::move(order));
        } else {
            num_others_ += order.count;
        }
    }

    const std::vector<OrderCount>& kinds() const { return kinds_; }  // in the order of first sight
    std::uint64_t num_others() const { return num_others_; }         // of further kinds

private:
    std::vector<OrderCount> kinds_;
    std::uint64_t num_others_ = 0;
};

}  // namespace hitopo

#endif
