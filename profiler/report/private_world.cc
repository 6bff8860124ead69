// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/private_world.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace hitopo::profile {
namespace {

constexpr int kTag = 0;
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
constexpr std::size_t kFirstBytes = (std::size_t{1} << 14) - kLengthBytes;  // beside the length
constexpr std::size_t kPieceBytes = std::size_t{1} << 30;                   // a count of MPI is an int

using FirstMessage = std::array<char, kLengthBytes + kFirstBytes>;

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

bool PrivateWorld::send(int to, std::string_view bytes) noexcept {
    const std::uint64_t length = bytes.size();
    FirstMessage first;
    std::memcpy(first.data(), &length, kLengthBytes);
    const std::string_view begin = bytes.substr(0, kFirstBytes);
    begin.copy(first.data() + kLengthBytes, begin.size());
    bool is_good = PMPI_Send(first.data(), static_cast<int>(kLengthBytes + begin.size()), MPI_BYTE, to,
                             kTag, comm_) == MPI_SUCCESS;
    for (std::size_t at = kFirstBytes; is_good && at < bytes.size(); at += kPieceBytes) {
        const std::string_view piece = bytes.substr(at, kPieceBytes);
        is_good = PMPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, kTag, comm_) ==
                  MPI_SUCCESS;
    }
    return is_good;
}

std::optional<std::string> PrivateWorld::receive(int from) noexcept {
    FirstMessage first;
    if (PMPI_Recv(first.data(), static_cast<int>(first.size()), MPI_BYTE, from, kTag, comm_,
                  MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        return std::nullopt;
    }
    std::uint64_t length = 0;
    std::memcpy(&length, first.data(), kLengthBytes);
    const auto count = static_cast<std::size_t>(length);
    std::string bytes;
    if (!has_done([&] { bytes.resize(count); })) {
        return drop_rest(from, count) ? std::optional<std::string>(kLost) : std::nullopt;
    }
    std::copy_n(first.data() + kLengthBytes, std::min(count, kFirstBytes), bytes.data());
    return receive_rest(from, bytes, count) ? std::optional<std::string>(std::move(bytes))
                                            : std::nullopt;
}

bool PrivateWorld::receive_rest(int from, std::string& bytes, std::size_t count) const {
    bool is_good = true;
    for (std::size_t at = kFirstBytes; is_good && at < count; at += kPieceBytes) {
        is_good = PMPI_Recv(bytes.data() + at, static_cast<int>(std::min(kPieceBytes, count - at)),
                            MPI_BYTE, from, kTag, comm_, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    }
    return is_good;
}

// The pieces on top of each other. A receive that is too short would do by the standard, but btl/tcp of
// Open MPI 4.1 then writes behind the buffer.
bool PrivateWorld::drop_rest(int from, std::size_t count) const {
    FirstMessage room;
    MPI_Datatype block = MPI_DATATYPE_NULL, pile = MPI_DATATYPE_NULL;
    constexpr auto kBlockBytes = static_cast<int>(room.size());
    bool is_good =
        PMPI_Type_contiguous(kBlockBytes, MPI_BYTE, &block) == MPI_SUCCESS &&
        PMPI_Type_create_hvector(kPieceBytes / room.size(), 1, 0, block, &pile) == MPI_SUCCESS &&
        PMPI_Type_commit(&pile) == MPI_SUCCESS;
    for (std::size_t at = kFirstBytes; is_good && at < count; at += kPieceBytes) {
        is_good = PMPI_Recv(room.data(), 1, pile, from, kTag, comm_, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    }
    for (MPI_Datatype* type : {&pile, &block}) {
        if (*type != MPI_DATATYPE_NULL) {
            PMPI_Type_free(type);
        }
    }
    return is_good;
}

}  // namespace hitopo::profile
