// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_COMM_WORLD as the measure of all other communicators: its ranks, and its address table as it is
// now. All is local, and takes as long as there are ranks.
#ifndef PROFILER_COUNT_WORLD_H
#define PROFILER_COUNT_WORLD_H

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/lane.h"

namespace hitopo::profile {

// The rank in MPI_COMM_WORLD of each rank of a group; MPI_UNDEFINED for processes of other jobs.
std::vector<int> world_ranks(MPI_Group group);

// The lane to each rank of MPI_COMM_WORLD.
std::vector<Lane> lanes_of_world();

// The number of this rank's node; negative where nobody knows.
std::int64_t node_of(int world_rank);

}  // namespace hitopo::profile

#endif
