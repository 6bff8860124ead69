/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An intercommunicator's table numbers both groups together: the local group's rows first, then the
 * remote group's, and both sides have the same row for the same process.
 */
/* ranks: 2 4 7 */
#include "test/mpi/checks.h"

int main(int argc, char **argv)
{
    MPI_Comm half, both;
    int num_remote;

    MPI_Init(&argc, &argv);
    const int is_odd = rank_of(MPI_COMM_WORLD) % 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_odd, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - is_odd, 0, &both);
    MPI_Comm_remote_size(both, &num_remote);

    for (int is_loaded = 0; is_loaded < 2; ++is_loaded) {
        int32_t **rows = ompi_hitopo_get_addrs(inner(both));
        int32_t first_remote[HITOPO_NUM_LEVELS], read[HITOPO_NUM_LEVELS];
        CHECK(NULL != rows && is_dense(rows, size_of(half) + num_remote));
        CHECK(ompi_hitopo_get_addr(inner(both), 0) == rows[0]);
        CHECK(NULL == ompi_hitopo_get_addr(inner(both), size_of(half))); /* a rank of the local group */
        CHECK(0 == ompi_hitopo_read_addr(inner(both), 0, read) && 0 == memcmp(read, rows[0], sizeof(read)));
        CHECK(0 != ompi_hitopo_read_addr(inner(both), size_of(half), read));
        if (0 == rank_of(half)) {
            MPI_Sendrecv(rows[0], HITOPO_NUM_LEVELS, MPI_INT32_T, 0, 0, first_remote, HITOPO_NUM_LEVELS, MPI_INT32_T, 0,
                         0, both, MPI_STATUS_IGNORE);
            CHECK(0 == memcmp(first_remote, rows[size_of(half)], sizeof(first_remote)));
        }
        CHECK(0 == ompi_hitopo_load(inner(both)));
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return finish();
}
