// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/world.h"

#include <numeric>
#include <string_view>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/core/name.h"

namespace hitopo::profile {
namespace {

std::size_t world_size() {
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return static_cast<std::size_t>(size);
}

}  // namespace

std::vector<int> all_ranks(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

std::vector<int> ranks_in(MPI_Group other, MPI_Group group, const std::vector<int>& ranks) {
    std::vector<int> found(ranks.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), other, found.data());
    return found;
}

std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& ranks) {
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> found = ranks_in(world, group, ranks);
    PMPI_Group_free(&world);
    return found;
}

std::vector<int> world_ranks(MPI_Group group) { return world_ranks(group, all_ranks(group)); }

std::uint64_t hash_of_members(MPI_Group group) {
    const std::vector<int> ranks = world_ranks(group);
    return hash_bytes({reinterpret_cast<const char*>(ranks.data()), ranks.size() * sizeof ranks[0]});
}

WorldTable::WorldTable()
    : rows_(ompi_hitopo_get_addrs(MPI_COMM_WORLD)),
      lanes_(ompi_hitopo_get_known_levels(MPI_COMM_WORLD), rows_, rows_ == nullptr ? 0 : world_size()) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
}

const std::int32_t* WorldTable::address(int world_rank) const {
    return rows_ == nullptr || world_rank == MPI_UNDEFINED ? nullptr : rows_[world_rank];
}

}  // namespace hitopo::profile
