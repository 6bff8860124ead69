// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/private_world.h"

namespace hitopo::profile {
namespace {

constexpr int kTag = 0;

}  // namespace

// Not a duplicate, which would copy the program's attributes.
PrivateWorld::PrivateWorld() {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &group);
    PMPI_Comm_create(MPI_COMM_WORLD, group, &comm_);  // collective
    PMPI_Group_free(&group);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
}

bool PrivateWorld::is_first_ready(bool is_ready) const {
    int ready = is_ready ? 1 : 0;
    PMPI_Bcast(&ready, 1, MPI_INT, 0, comm_);
    return ready != 0;
}

void PrivateWorld::send_bytes(int to, const char* bytes, std::size_t count) const {
    const std::uint64_t length = count;
    PMPI_Send(&length, 1, MPI_UINT64_T, to, kTag, comm_);
    for (std::size_t at = 0; at < count; at += kPieceBytes) {
        PMPI_Send(bytes + at, static_cast<int>(std::min(kPieceBytes, count - at)), MPI_BYTE, to, kTag,
                  comm_);
    }
}

std::size_t PrivateWorld::receive_length(int from) const {
    std::uint64_t length = 0;
    PMPI_Recv(&length, 1, MPI_UINT64_T, from, kTag, comm_, MPI_STATUS_IGNORE);
    return length;
}

std::size_t PrivateWorld::receive_piece(int from, char* bytes, std::size_t left) const {
    const std::size_t count = std::min(kPieceBytes, left);
    PMPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, kTag, comm_, MPI_STATUS_IGNORE);
    return count;
}

}  // namespace hitopo::profile
