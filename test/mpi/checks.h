/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks for MPI tests: a failed one is printed with its rank and counted; finish() makes the job's
 * exit code of all ranks' counts, so that no rank leaves early.
 */
#ifndef TEST_MPI_CHECKS_H
#define TEST_MPI_CHECKS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/hitopo_level.h"

static int num_failed = 0;

#define CHECK(condition)                                                                                 \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            int check_rank = -1;                                                                         \
            MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                                  \
            fprintf(stderr, "%s:%d: rank %d: failed: %s\n", __FILE__, __LINE__, check_rank, #condition); \
            ++num_failed;                                                                                \
        }                                                                                                \
    } while (0)

/* An MPI_Comm of Open MPI is a pointer to its internal struct. */
static inline struct ompi_communicator_t *inner(MPI_Comm comm)
{
    return (struct ompi_communicator_t *) comm;
}

static inline int rank_of(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

static inline int size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

/* Values at each level are 0..n-1 and all occur; unknown ones (-1) aside. */
static inline int is_dense(int32_t **rows, int size)
{
    for (int level = 0; level < HITOPO_NUM_LEVELS; ++level) {
        int max = -1, found = 0;
        for (int i = 0; i < size; ++i) {
            max = rows[i][level] > max ? rows[i][level] : max;
        }
        for (int value = 0; value <= max; ++value) {
            for (int i = 0; i < size; ++i) {
                if (rows[i][level] == value) {
                    ++found;
                    break;
                }
            }
        }
        if (found != max + 1) {
            return 0;
        }
    }
    return 1;
}

/* All ranks of comm see the same table. Collective. */
static inline int is_same_everywhere(MPI_Comm comm, int32_t **rows, int num_rows)
{
    int is_same = 1;
    int32_t first[HITOPO_NUM_LEVELS];

    for (int i = 0; i < num_rows; ++i) {
        memcpy(first, rows[i], sizeof(first));
        MPI_Bcast(first, HITOPO_NUM_LEVELS, MPI_INT32_T, 0, comm);
        is_same = is_same && 0 == memcmp(first, rows[i], sizeof(first));
    }
    return is_same;
}

static inline int finish(void)
{
    int total = 0, num_tables = -1, num_holders = -1;

    MPI_Allreduce(&num_failed, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    ompi_hitopo_count_live(&num_tables, &num_holders);
    if (0 != num_tables || 0 != num_holders) {
        fprintf(stderr, "after MPI_Finalize: %d tables and %d holders are alive\n", num_tables, num_holders);
        ++total;
    }
    return 0 == total ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
