// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_COMM_WORLD as the measure of all other communicators.
#ifndef PROFILER_COUNT_WORLD_H
#define PROFILER_COUNT_WORLD_H

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"

namespace hitopo::profile {

// The ranks in MPI_COMM_WORLD of these ranks of a group; MPI_UNDEFINED for processes of other jobs.
// Local; takes as long as there are ranks.
std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& ranks);
std::vector<int> world_ranks(MPI_Group group);  // of all

// The lane to each rank of MPI_COMM_WORLD, by its address table as it is now. Local.
std::vector<Lane> lanes_of_world();

// The address table of MPI_COMM_WORLD as it is now; use it at once. Reads the addresses that it is asked
// for, and no more.
class WorldTable {
public:
    WorldTable();
    WorldTable(const WorldTable&) = delete;
    WorldTable& operator=(const WorldTable&) = delete;

    using Address = std::array<std::int32_t, kNumLevels>;
    // Null where there is no table, or the rank is MPI_UNDEFINED; else `address`, which it fills.
    static const std::int32_t* read(int world_rank, Address& address);
    // Negative where nobody knows.
    static std::int64_t node_of(int world_rank);
    const Lanes& lanes() const { return lanes_; }
    Lane lane_to(int world_rank) const;

private:
    Lanes lanes_;
    Address own_;
    const std::int32_t* own_address_;
};

}  // namespace hitopo::profile

#endif
