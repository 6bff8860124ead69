// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/lane.h"

namespace hitopo {
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
                                       : Lane::kOutside;
}

}  // namespace hitopo
