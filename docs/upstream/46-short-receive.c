/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 46-short-receive.c -o short; mpirun -np 2 --mca btl self,tcp ./short
 * Crashes: of a message that is too long, btl/tcp writes fragments behind the receive (here at NULL). Without --mca,
 * btl/vader tries to: "Read -1, expected 1048576, errno = 14".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH (1 << 20)

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (1 == rank) {
        MPI_Send(calloc(LENGTH, 1), LENGTH, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    } else if (MPI_ERR_TRUNCATE == MPI_Recv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) {
        puts("MPI_ERR_TRUNCATE");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
