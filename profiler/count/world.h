// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_COMM_WORLD as the measure of all other communicators.
#ifndef PROFILER_COUNT_WORLD_H
#define PROFILER_COUNT_WORLD_H

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "profiler/traffic/lane.h"

namespace hitopo::profile {

// The ranks in MPI_COMM_WORLD of these ranks of a group; MPI_UNDEFINED for processes of other jobs.
// Local; takes as long as there are ranks.
std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& ranks);
std::vector<int> world_ranks(MPI_Group group);  // of all

// A hash of the group's processes, the same at all of this job.
std::uint64_t hash_of_members(MPI_Group group);

// The address table of MPI_COMM_WORLD as it is now; use it at once.
class WorldTable {
public:
    WorldTable();

    // Null where there is no table, or the rank is MPI_UNDEFINED.
    const std::int32_t* address(int world_rank) const;
    const Lanes& lanes() const { return lanes_; }
    Lane lane_to(int world_rank) const { return lanes_.between(address(rank_), address(world_rank)); }

private:
    std::int32_t** rows_;
    int rank_ = 0;
    Lanes lanes_;
};

}  // namespace hitopo::profile

#endif
