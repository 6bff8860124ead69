/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 14-absent-key.c -o absent $(pkg-config --cflags --libs pmix); mpirun -np 1 ./absent, with 4.1
 * PMIx_Get takes 2 s; with PMIX_IMMEDIATE it answers at once.
 */
#include <mpi.h>
#include <pmix.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pmix_proc_t self;
    pmix_value_t *value;

    PMIx_Init(&self, NULL, 0);
    MPI_Init(&argc, &argv);
    double begin = MPI_Wtime();
    int rc = PMIx_Get(&self, "no.such.key", NULL, 0, &value);
    printf("%s after %.1f s\n", PMIx_Error_string(rc), MPI_Wtime() - begin);
    MPI_Finalize();
    return PMIx_Finalize(NULL, 0);
}
