// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/world.h"

#include <numeric>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

int world_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

}  // namespace

std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& ranks) {
    std::vector<int> found(ranks.size());
    hitopo_profile_world_ranks(group, ranks.data(), static_cast<int>(ranks.size()), found.data());
    return found;
}

std::vector<int> world_ranks(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    return world_ranks(group, ranks);
}

std::vector<Lane> lanes_of_world() {
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    const WorldTable table;
    std::vector<Lane> lanes;
    lanes.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) {
        lanes.push_back(table.lane_to(rank));
    }
    return lanes;
}

WorldTable::WorldTable()
    : lanes_(ompi_hitopo_get_known_levels(MPI_COMM_WORLD),
             ompi_hitopo_get_divided_levels(MPI_COMM_WORLD)),
      own_address_(read(world_rank(), own_)) {}

const std::int32_t* WorldTable::read(int world_rank, Address& address) {
    constexpr int kThereIsOne = 0;
    return ompi_hitopo_read_addr(MPI_COMM_WORLD, world_rank, address.data()) == kThereIsOne
               ? address.data()
               : nullptr;
}

std::int64_t WorldTable::node_of(int world_rank) {
    Address address;
    return read(world_rank, address) == nullptr ? -1 : address[kNode];
}

Lane WorldTable::lane_to(int world_rank) const {
    Address address;
    return lanes_.between(own_address_, read(world_rank, address));
}

}  // namespace hitopo::profile
