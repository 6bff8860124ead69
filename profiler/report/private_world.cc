// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/private_world.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

constexpr int kTag = 0;
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);

using Message = std::array<char, std::size_t{1} << 16>;

}  // namespace

// A duplicate would copy the program's attributes.
PrivateWorld::PrivateWorld() {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &group);
    PMPI_Comm_create(MPI_COMM_WORLD, group, &comm_);  // collective
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
    const hitopo_profile_settings_t& settings = *hitopo_profile_settings();
    int of_root[] = {settings.max_peers, settings.report != nullptr && *settings.report != '\0' ? 1 : 0};
    broadcast(of_root, sizeof of_root);  // collective
    max_peers_ = of_root[0];
    wants_report_ = of_root[1];
}

// The first message begins with the number of all bytes.
bool PrivateWorld::send(int to, std::string_view bytes) noexcept {
    const std::uint64_t length = bytes.size();
    Message message;
    std::memcpy(message.data(), &length, kLengthBytes);
    for (std::size_t used = kLengthBytes;; used = 0) {
        const std::string_view piece = bytes.substr(0, message.size() - used);
        piece.copy(message.data() + used, piece.size());
        bytes.remove_prefix(piece.size());
        const auto count = static_cast<int>(used + piece.size());
        if (PMPI_Send(message.data(), count, MPI_BYTE, to, kTag, comm_) != MPI_SUCCESS) {
            return false;
        }
        if (bytes.empty()) {
            return true;
        }
    }
}

std::optional<std::string> PrivateWorld::receive(int from) noexcept {
    std::string bytes;
    std::uint64_t num_left = 0;
    bool has_memory = true;
    Message message;
    std::size_t used = kLengthBytes;
    do {
        MPI_Status status;
        int count = 0;
        if (PMPI_Recv(message.data(), static_cast<int>(message.size()), MPI_BYTE, from, kTag, comm_,
                      &status) != MPI_SUCCESS ||
            PMPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS) {
            return std::nullopt;
        }
        if (used > 0) {
            std::memcpy(&num_left, message.data(), kLengthBytes);
            has_memory = has_done([&] { bytes.reserve(static_cast<std::size_t>(num_left)); });
        }
        const auto num_bytes = static_cast<std::size_t>(count) - used;
        if (has_memory) {
            bytes.append(message.data() + used, num_bytes);
        }
        num_left -= num_bytes;
        used = 0;
    } while (num_left > 0);
    return has_memory ? bytes : std::string(kLost);
}

}  // namespace hitopo::profile
