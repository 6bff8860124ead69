// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The communicator by which processes hand in their parts of the report, apart from the program's
// messages and error handlers in MPI_COMM_WORLD: only messages between two processes that wait for each
// other by name. So, with an MPI that goes on after a process has died (ULFM), no process waits for
// ever, and no error handler of the program's runs.
#ifndef PROFILER_REPORT_PRIVATE_WORLD_H
#define PROFILER_REPORT_PRIVATE_WORLD_H

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/gather/gather.h"

namespace hitopo::profile {

class PrivateWorld : public PeerMessages {
public:
    // Both collective over MPI_COMM_WORLD; to be made while all are alive, in MPI_Init.
    PrivateWorld();
    ~PrivateWorld() override { PMPI_Comm_free(&comm_); }
    PrivateWorld(const PrivateWorld&) = delete;
    PrivateWorld& operator=(const PrivateWorld&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    // Whether a report has each peer, and not sums only: by rank 0's hitopo_prof_max_peers.
    bool keeps_peers() const { return max_peers_ < 0 || size_ <= max_peers_; }
    int max_peers() const { return max_peers_; }
    // Whether there is a report, by rank 0's hitopo_prof_report.
    bool wants_report() const { return wants_report_ != 0; }

    // Gives rank 0's bytes to all. Collective.
    void broadcast(void* bytes, std::size_t count) const {
        PMPI_Bcast(bytes, static_cast<int>(count), MPI_BYTE, 0, comm_);
    }

    // Whether all processes give that value, which is not the lowest that there is; false where the
    // collective fails. Collective.
    bool is_same(std::int64_t value) const {
        const std::int64_t mine[] = {value, -value};
        std::int64_t greatest[2] = {};
        return PMPI_Allreduce(mine, greatest, 2, MPI_INT64_T, MPI_MAX, comm_) == MPI_SUCCESS &&
               greatest[0] == -greatest[1];
    }

    // Sends messages of at most 64 KiB each.
    [[nodiscard]] bool send(int to, std::string_view bytes) noexcept override;
    [[nodiscard]] std::optional<std::string> receive(int from) noexcept override;

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
    int max_peers_ = 0;
    int wants_report_ = 0;
};

}  // namespace hitopo::profile

#endif
