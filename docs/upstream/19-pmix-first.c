/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 19-pmix-first.c -o first $(pkg-config --cflags --libs pmix); mpirun -np 1 ./first, with 5.0.7 or 6.0
 * MPI_Init fails: "local rank --> Returned "Not found" (-13)".
 */
#include <mpi.h>
#include <pmix.h>

int main(int argc, char **argv)
{
    pmix_proc_t self;

    PMIx_Init(&self, NULL, 0);
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
