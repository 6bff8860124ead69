// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/lane.h"

#include <algorithm>

namespace hitopo {
namespace {

using Row = const std::int32_t*;

// Orders by the levels [first, last).
struct ByLevels {
    int first, last;
    bool operator()(Row a, Row b) const {
        return std::lexicographical_compare(a + first, a + last, b + first, b + last);
    }
    bool are_equal(Row a, Row b) const { return std::equal(a + first, a + last, b + first); }
};

// One row of each distinct run of levels, and a second where there are more: enough for all pairs.
std::vector<Row> two_of_each(std::vector<Row> rows, ByLevels order) {
    std::sort(rows.begin(), rows.end(), order);
    std::vector<Row> kept;
    for (Row row : rows) {
        const std::size_t n = kept.size();
        if (n < 2 || !order.are_equal(kept[n - 2], row)) {
            kept.push_back(row);
        }
    }
    return kept;
}

unsigned bit(Lane lane) { return 1u << static_cast<unsigned>(lane); }

}  // namespace

std::string_view lane_name(Lane lane) {
    constexpr std::array<std::string_view, kNumLanes> kNames = {
        "core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown"};
    return kNames[static_cast<std::size_t>(lane)];
}

Lane Lanes::between(const std::int32_t* a, const std::int32_t* b) const {
    if (a == nullptr || b == nullptr) {
        return Lane::kUnknown;
    }
    if (is_shared(kNode, a, b)) {
        // Sockets are numbered within their node, cores within their socket.
        if (is_shared(kSocket, a, b)) {
            return is_shared(kCore, a, b) ? Lane::kCore : Lane::kSocket;
        }
        return is_shared(kL2Numa, a, b) ? Lane::kL2Numa : Lane::kNode;
    }
    return is_shared(kSwitch, a, b)    ? Lane::kSwitch
           : is_shared(kIsland, a, b)  ? Lane::kIsland
           : is_shared(kCluster, a, b) ? Lane::kCluster
                                       : Lane::kBeyond;
}

unsigned Lanes::spanned_by(std::vector<const std::int32_t*> addresses) const {
    const auto absent = std::remove(addresses.begin(), addresses.end(), nullptr);
    unsigned lanes = absent != addresses.end() && addresses.size() > 1 ? bit(Lane::kUnknown) : 0;
    addresses.erase(absent, addresses.end());
    const auto add_pairs = [&](const std::vector<Row>& rows) {
        for (auto a = rows.begin(); a != rows.end(); ++a) {
            for (auto b = a + 1; b != rows.end(); ++b) {
                lanes |= bit(between(*a, *b));
            }
        }
    };
    const ByLevels by_node{kNode, kNode + 1};
    std::sort(addresses.begin(), addresses.end(), by_node);
    std::vector<Row> nodes;
    for (auto first = addresses.begin(); first != addresses.end();) {
        const auto last = std::upper_bound(first, addresses.end(), *first, by_node);
        nodes.push_back(*first);
        add_pairs(two_of_each({first, last}, {kL2Numa, kHwThread}));
        first = last;
    }
    add_pairs(two_of_each(std::move(nodes), {kCluster, kNode}));
    return lanes;
}

}  // namespace hitopo
