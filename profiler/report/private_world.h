// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How processes hand in their parts of the report, apart from what the program sends in MPI_COMM_WORLD,
// and from what it wants to happen there when a process has died: only messages between two processes
// that wait for each other by name. Then, with an MPI that goes on after that (ULFM), nobody waits for
// ever, and no error handler of the program's runs.
#ifndef PROFILER_REPORT_PRIVATE_WORLD_H
#define PROFILER_REPORT_PRIVATE_WORLD_H

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hitopo::profile {

class PrivateWorld {
public:
    // Both collective over MPI_COMM_WORLD; to be made while all are alive, in MPI_Init.
    PrivateWorld();
    ~PrivateWorld() { PMPI_Comm_free(&comm_); }
    PrivateWorld(const PrivateWorld&) = delete;
    PrivateWorld& operator=(const PrivateWorld&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // What one process sends in a call (a vector, a string), another receives in one. False and none
    // where the other is gone.
    template <class Values>
    [[nodiscard]] bool send(int to, const Values& values) const {
        return send_bytes(to, reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof values[0]);
    }
    template <class Values>
    [[nodiscard]] std::optional<Values> receive(int from) const {
        const std::optional<std::size_t> length = receive_length(from);
        if (!length) {
            return std::nullopt;
        }
        Values values;
        values.resize(*length / sizeof values[0]);
        const bool is_whole = receive_bytes(from, reinterpret_cast<char*>(values.data()), *length);
        return is_whole ? std::optional<Values>(std::move(values)) : std::nullopt;
    }

private:
    bool send_bytes(int to, const char* bytes, std::size_t count) const;
    std::optional<std::size_t> receive_length(int from) const;
    bool receive_bytes(int from, char* bytes, std::size_t count) const;

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace hitopo::profile

#endif
