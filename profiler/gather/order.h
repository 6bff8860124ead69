// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a process is asked for: a part of its own by its leader, parts of a node by rank 0. An order of
// no bytes lets it go.
#ifndef PROFILER_GATHER_ORDER_H
#define PROFILER_GATHER_ORDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/gather/heads.h"

namespace hitopo {

// To one process: of the part's communicators, in their order.
struct Order {
    int number = kEnd;        // of the part
    bool wants_peers = true;  // one by one, not their sums
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> is_new;  // nobody of a lower rank has described it: 0 or 1

    std::string encode() const;
    static std::optional<Order> decode(std::string_view bytes);
};

// To the leader of a node, whose heads have told these keys.
struct NodeOrder {
    static constexpr std::int32_t kNone = -1;

    int number = kEnd;
    bool wants_peers = true;
    int first = 0, end = 0;  // the parts of the ranks [first, end)
    std::vector<std::int32_t>
        ids;  // of each of the node's keys; kNone: no part that is asked for has it
    std::vector<std::int32_t> ranks;  // who describes it, or kNone

    std::string encode() const;
    static std::optional<NodeOrder> decode(std::string_view bytes);

    // The order of one of the processes, which has such a part. Sizes are those of heads.keys().
    Order order_of(const Heads& heads, const Heads::Process& process) const;
};

}  // namespace hitopo

#endif
