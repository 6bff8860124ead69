// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Times of short messages, for `hitopo tune` and `hitopo check --links`.
#ifndef OMPI_TOOLS_HITOPO_TUNE_PING_H
#define OMPI_TOOLS_HITOPO_TUNE_PING_H

#include <mpi.h>

#include <vector>

namespace hitopo::tool {

inline double now_us() { return MPI_Wtime() * 1e6; }

// Collective.
inline double greatest(double own, MPI_Comm comm) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    return all;
}

// Half of there and back, so many times; at the peer with the other is_first.
inline std::vector<double> half_trips_us(int num, int peer, bool is_first, MPI_Comm comm) {
    std::vector<double> times;
    for (int i = 0; i < num; ++i) {
        char byte = 0;
        const double begin = now_us();
        if (is_first) {
            MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm);
            MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE);
            MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm);
        }
        times.push_back((now_us() - begin) / 2);
    }
    return times;
}

}  // namespace hitopo::tool

#endif
