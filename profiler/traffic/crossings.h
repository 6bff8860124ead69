// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What really crossed each lane for collective calls, where the component that served them tells.
#ifndef PROFILER_TRAFFIC_CROSSINGS_H
#define PROFILER_TRAFFIC_CROSSINGS_H

#include <cstdint>

#include "ompi/mca/hitopo/core/address/lane.h"

namespace hitopo {

// That one process sent. Whoever makes one sets it to {} or does not use it: most calls need none.
struct Crossings {
    PerLane messages, bytes;

    void add(Lane lane, std::uint64_t num_bytes) {
        ++messages[static_cast<std::size_t>(lane)];
        bytes[static_cast<std::size_t>(lane)] += num_bytes;
    }
};

// Sums over all served calls of a function: flat_bytes is FlatSend's for these.
struct ServedCount {
    std::size_t function = 0;
    std::uint64_t count = 0;
    Crossings crossings = {};
    PerLane flat_bytes = {};
};

}  // namespace hitopo

#endif
