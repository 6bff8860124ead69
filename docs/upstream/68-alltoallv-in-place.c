/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A nonblocking MPI_Alltoallv in place whose blocks are long, but for one that is empty:
 *
 *     mpicc 68-alltoallv-in-place.c && mpirun -np 5 --oversubscribe ./a.out
 *
 * Wanted: no output. Open MPI 4.1.4: "rank 4 has 3 from rank 0, not 4". Rank 0 copies its block for rank 3 to where the
 * one for rank 4 is still being sent from, since it receives nothing from rank 1 in between.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 100000

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *blocks = malloc((size_t) size * COUNT * sizeof(int)), counts[size], begins[size];
    for (int i = 0; i < size * COUNT; ++i) {
        blocks[i] = i / COUNT;
    }
    for (int i = 0; i < size; ++i) {
        counts[i] = rank < 2 && i == 1 - rank ? 0 : COUNT;
        begins[i] = i * COUNT;
    }
    MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, blocks, counts, begins, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; ++i) {
        if (0 < counts[i] && rank != blocks[begins[i]]) {
            printf("rank %d has %d from rank %d, not %d\n", rank, blocks[begins[i]], i, rank);
        }
    }
    return MPI_Finalize();
}
