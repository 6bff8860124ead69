/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Bcast from each root, on the world and on its even and odd halves: for examples/coll. Exits
 * with 1 if a value did not arrive anywhere.
 */
#include <mpi.h>

#define NUM_VALUES 1000

static int num_wrong = 0;

static void broadcast_from_all(MPI_Comm comm)
{
    int values[NUM_VALUES], rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int root = 0; root < size; ++root) {
        for (int i = 0; i < NUM_VALUES; ++i) {
            values[i] = rank == root ? root * NUM_VALUES + i : -1;
        }
        MPI_Bcast(values, NUM_VALUES, MPI_INT, root, comm);
        for (int i = 0; i < NUM_VALUES; ++i) {
            num_wrong += values[i] != root * NUM_VALUES + i;
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    int rank, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    broadcast_from_all(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    broadcast_from_all(half);
    MPI_Comm_free(&half);
    MPI_Allreduce(&num_wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0 == total ? 0 : 1;
}
