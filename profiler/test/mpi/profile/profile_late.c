/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: halos around a ring, in which rank 2 comes 25 ms late to each of 40 rounds.
 */
#include <unistd.h>

#include "profiler/test/mpi/profile/profile_program.h"

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    int in, out = 0;

    begin(&argc, &argv);
    for (int round = 0; round < 40; ++round) {
        if (2 == rank) {
            usleep(25000);
        }
        MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
