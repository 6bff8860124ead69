// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A lane: the innermost level that two processes share.
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_LANE_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_LANE_H

#include <array>
#include <cstdint>
#include <string_view>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo {

// The innermost level that both processes share, of those that both know; kOutside: they share none;
// kUnknown: one of them has no address here.
enum class Lane : std::uint8_t {
    kCore,
    kSocket,
    kL2Numa,
    kNode,
    kSwitch,
    kIsland,
    kCluster,
    kOutside,
    kUnknown
};
inline constexpr std::size_t kNumLanes = 9;

// "core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown".
std::string_view lane_name(Lane lane);

// Something for each lane: bytes, processes.
using PerLane = std::array<std::uint64_t, kNumLanes>;

// The addresses of a communicator's table, to be measured.
class Lanes {
public:
    // known: bit l is set if some process knows level l. The eight numbers of each address are as
    // ompi_hitopo_get_addrs gives them: 0 everywhere in a level that no process knows.
    explicit Lanes(unsigned known) : known_(known) {}
    // divided: bit l is set where the job's processes have several values at level l. Most nodes are one
    // board, whose l2numa is 0 everywhere. That level does not count then, and traffic that leaves a
    // socket stays in the node.
    Lanes(unsigned known, unsigned divided) : known_(known & (divided | ~(1u << kL2Numa))) {}

    // a, b: addresses of kNumLevels numbers, or null.
    Lane between(const std::int32_t* a, const std::int32_t* b) const;

private:
    bool is_shared(Level level, const std::int32_t* a, const std::int32_t* b) const {
        return (known_ >> level & 1u) != 0 && a[level] >= 0 && a[level] == b[level];
    }

    unsigned known_;
};

}  // namespace hitopo

#endif
