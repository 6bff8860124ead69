/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_idup's later rounds are MPI_Iallreduce on its parent, begun by progress. Their tags, and those of the
 * program's nonblocking collectives, are counted by one counter, in another order in each process.
 *
 *     mpicc 64-idup-and-iallreduce.c -o idup && timeout 60 mpirun -np 4 --oversubscribe ./idup
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, num_wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 30; ++round) {
        int one = 1, sum = 0, flag;
        MPI_Request duplicates, sums;
        MPI_Comm comm;

        MPI_Comm_idup(MPI_COMM_WORLD, &comm, &duplicates);
        for (int i = 0; rank % 2 == 1 && i < 2; ++i) {
            MPI_Test(&duplicates, &flag, MPI_STATUS_IGNORE);
            usleep(2000);
        }
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sums);
        MPI_Wait(&sums, MPI_STATUS_IGNORE);
        num_wrong += sum != size;
        MPI_Wait(&duplicates, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
    }
    printf("rank %d: %d of 30 sums are wrong\n", rank, num_wrong);
    return MPI_Finalize();
}
