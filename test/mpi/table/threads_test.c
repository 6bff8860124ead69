/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Local functions are thread safe: threads ask for tables of shared and of their own communicators
 * while those are made and freed.
 */
/* ranks: 1 2 4 */
/* mpirun 6.0: --mca btl self,tcp */
#include "test/mpi/checks.h"
#include "test/mpi/threads.h"

#define NUM_ROUNDS 50

static MPI_Comm shared;

static void *ask(void *argument)
{
    const int thread = (int) (intptr_t) argument;

    for (int i = 0; i < NUM_ROUNDS; ++i) {
        MPI_Comm copy;
        int32_t **rows = ompi_hitopo_get_addrs(inner(shared));
        num_wrong[thread] += NULL == rows;
        for (int j = 0; NULL != rows && j < 1000; ++j) { /* while other threads free theirs */
            int32_t addr[8];
            const int rank = j % size_of(shared);
            num_wrong[thread] +=
                0 != ompi_hitopo_read_addr(inner(shared), rank, addr) || 0 != memcmp(rows[rank], addr, sizeof(addr));
        }
        MPI_Comm_dup(own[thread], &copy);
        num_wrong[thread] += NULL == ompi_hitopo_get_addr(inner(copy), 0);
        MPI_Comm_free(&copy);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!init_threads(&argc, &argv)) {
        return finish();
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD), &shared);
    run_threads(ask);
    MPI_Comm_free(&shared);
    return finish();
}
