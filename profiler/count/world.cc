// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/world.h"

#include <array>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

// Null where there is no table; else `address`, which it fills.
const std::int32_t* read(int world_rank, std::array<std::int32_t, kNumLevels>& address) {
    constexpr int kThereIsOne = 0;
    return ompi_hitopo_read_addr(MPI_COMM_WORLD, world_rank, address.data()) == kThereIsOne
               ? address.data()
               : nullptr;
}

}  // namespace

std::vector<int> world_ranks(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    hitopo_profile_world_ranks(group, size, ranks.data());
    return ranks;
}

std::vector<Lane> lanes_of_world() {
    int size = 0, self = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &self);
    const Lanes table(ompi_hitopo_get_known_levels(MPI_COMM_WORLD),
                      ompi_hitopo_get_divided_levels(MPI_COMM_WORLD));
    std::array<std::int32_t, kNumLevels> own{}, other{};
    const std::int32_t* const own_address = read(self, own);
    std::vector<Lane> lanes;
    lanes.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) {
        lanes.push_back(table.between(own_address, read(rank, other)));
    }
    return lanes;
}

std::int64_t node_of(int world_rank) {
    std::array<std::int32_t, kNumLevels> address{};
    return read(world_rank, address) == nullptr ? -1 : address[kNode];
}

}  // namespace hitopo::profile
