// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/private_world.h"

#include <algorithm>

namespace hitopo::profile {
namespace {

constexpr int kTag = 0;
constexpr std::size_t kPieceBytes = std::size_t{1} << 24;  // a count of MPI is an int

}  // namespace

// Not a duplicate, which would copy the program's attributes.
PrivateWorld::PrivateWorld() {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &group);
    PMPI_Comm_create(MPI_COMM_WORLD, group, &comm_);  // collective
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
}

bool PrivateWorld::send_bytes(int to, const char* bytes, std::size_t count) const {
    const std::uint64_t length = count;
    bool is_good = PMPI_Send(&length, 1, MPI_UINT64_T, to, kTag, comm_) == MPI_SUCCESS;
    for (std::size_t at = 0; is_good && at < count; at += kPieceBytes) {
        is_good = PMPI_Send(bytes + at, static_cast<int>(std::min(kPieceBytes, count - at)), MPI_BYTE,
                            to, kTag, comm_) == MPI_SUCCESS;
    }
    return is_good;
}

std::optional<std::size_t> PrivateWorld::receive_length(int from) const {
    std::uint64_t length = 0;
    const int rc = PMPI_Recv(&length, 1, MPI_UINT64_T, from, kTag, comm_, MPI_STATUS_IGNORE);
    return rc == MPI_SUCCESS ? std::optional<std::size_t>(length) : std::nullopt;
}

bool PrivateWorld::receive_bytes(int from, char* bytes, std::size_t count) const {
    bool is_good = true;
    for (std::size_t at = 0; is_good && at < count; at += kPieceBytes) {
        is_good = PMPI_Recv(bytes + at, static_cast<int>(std::min(kPieceBytes, count - at)), MPI_BYTE,
                            from, kTag, comm_, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    }
    return is_good;
}

}  // namespace hitopo::profile
