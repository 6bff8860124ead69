// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What orders of grids and graphs would gain, or gained: equal ones of a process once, with their
// number.
#ifndef PROFILER_TRAFFIC_ORDERS_H
#define PROFILER_TRAFFIC_ORDERS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo {

struct OrderKind {
    std::string call;       // "MPI_Cart_create"
    int size = 0;           // number of processes that are ordered
    std::string candidate;  // "k-d tree"
    bool is_weighted = false;
    bool is_applied = false;
    std::vector<Level> levels;                 // outermost first
    std::vector<std::uint64_t> before, after;  // what crosses each of them
    std::uint64_t count = 1;

    // All but the count.
    auto what() const {
        return std::tie(call, size, candidate, is_weighted, is_applied, levels, before, after);
    }
};

class Orders {
public:
    // A program that makes a grid of another shape each time has no use for a list of them.
    static constexpr std::size_t kMaxKinds = 64;

    void add(OrderKind order) {
        const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const OrderKind& kind) {
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

    const std::vector<OrderKind>& kinds() const { return kinds_; }  // in the order of first sight
    std::uint64_t num_others() const { return num_others_; }        // of further kinds

private:
    std::vector<OrderKind> kinds_;
    std::uint64_t num_others_ = 0;
};

}  // namespace hitopo

#endif
