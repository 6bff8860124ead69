// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/occupancy.h"

#include <algorithm>

namespace hitopo {

Occupancy Occupancy::of(const std::vector<Process>& processes) {
    std::vector<std::uint64_t> in_order;  // node, then rank
    in_order.reserve(processes.size());
    for (const Process& process : processes) {
        in_order.push_back(std::uint64_t{process.node} << 32 | in_order.size());
    }
    if (!std::is_sorted(in_order.begin(), in_order.end())) {
        std::sort(in_order.begin(), in_order.end());
    }
    Occupancy occupancy;
    occupancy.num_processes = processes.size();
    std::vector<std::uint32_t> patterns;
    for (std::size_t i = 0; i < in_order.size();) {
        const auto number = static_cast<std::uint32_t>(in_order[i] >> 32);
        Node& node = occupancy.nodes.emplace_back();
        node.node = number;
        patterns.clear();
        for (; i < in_order.size() && in_order[i] >> 32 == number; ++i) {
            const auto rank = static_cast<std::uint32_t>(in_order[i]);
            node.ranks.add(rank);
            patterns.push_back(processes[rank].pattern);
        }
        node.patterns = occupancy.patterns.number_of(patterns);
    }
    return occupancy;
}

}  // namespace hitopo
