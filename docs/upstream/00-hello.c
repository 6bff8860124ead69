/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 00-hello.c -o hello; the commands that docs/upstream.md gives with ./hello
 * What each of them shows happens in MPI_Init or in the first messages.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
