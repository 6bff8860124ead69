/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI_Alltoall of 40 integers a block among 16 processes, sent without gaps and received with gaps:
 *
 *     mpicc 72-alltoall-mixed.c && mpirun -np 16 --oversubscribe ./a.out
 *
 * Wanted: "right", from each rank. Open MPI 4.1.4: wrong values, or a segmentation fault.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 40 };

int main(int argc, char **argv)
{
    int rank, size, num_wrong = 0;
    int *sent, *received;
    MPI_Datatype spaced;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    sent = malloc(size * COUNT * sizeof(int));
    received = calloc(2 * size * COUNT, sizeof(int));
    for (int i = 0; i < size * COUNT; ++i) {
        sent[i] = 100000 * rank + i;
    }
    MPI_Alltoall(sent, COUNT, MPI_INT, received, COUNT, spaced, MPI_COMM_WORLD);
    for (int from = 0; from < size; ++from) {
        for (int i = 0; i < COUNT; ++i) {
            num_wrong += received[2 * (from * COUNT + i)] != 100000 * from + rank * COUNT + i;
        }
    }
    printf(0 == num_wrong ? "right\n" : "%d values are wrong\n", num_wrong);
    return MPI_Finalize();
}
