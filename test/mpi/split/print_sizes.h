/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that are not linked with HiTopo and print what their splits give.
 */
#ifndef TEST_MPI_SPLIT_PRINT_SIZES_H
#define TEST_MPI_SPLIT_PRINT_SIZES_H

#include <mpi.h>
#include <stdio.h>

#define MAX_RANKS 1024

/* At rank 0, `NAME: SIZE ..`, by rank; `-` for -1. Collective over comm, of at most MAX_RANKS processes. */
static inline void print_sizes(MPI_Comm comm, const char *name, int mine)
{
    int sizes[MAX_RANKS], rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Gather(&mine, 1, MPI_INT, sizes, 1, MPI_INT, 0, comm);
    if (0 == rank) {
        printf("%s:", name);
        for (int i = 0; i < size; ++i) {
            printf(-1 == sizes[i] ? " -" : " %d", sizes[i]);
        }
        printf("\n");
        fflush(stdout);
    }
}

#endif
