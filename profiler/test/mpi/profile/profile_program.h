/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For the programs that profile*.sh run under the profiler, which know nothing of it.
 */
#ifndef PROFILER_TEST_MPI_PROFILE_PROFILE_PROGRAM_H
#define PROFILER_TEST_MPI_PROFILE_PROFILE_PROGRAM_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mpi/registry/weak_registry.h"

static int rank, size, left, right; /* a ring */

/* Both forms; the one that returns at once is waited for. */
#define BOTH(name, immediate, ...)                  \
    do {                                            \
        MPI_Request both_request;                   \
        name(__VA_ARGS__);                          \
        immediate(__VA_ARGS__, &both_request);      \
        MPI_Wait(&both_request, MPI_STATUS_IGNORE); \
    } while (0)

static inline void find_ring(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
}

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    find_ring(MPI_COMM_WORLD);
}

#endif
