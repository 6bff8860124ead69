/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_THREAD_MULTIPLE: each thread splits a communicator of its own, all at once, while others are
 * duplicated and freed, and with lowest free context ids that differ between processes.
 */
/* ranks: 1 2 4 */
/* mpirun 6.0: --mca btl self,tcp */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"
#include "test/mpi/threads.h"

#define NUM_ROUNDS 25

static MPI_Comm own_self[NUM_THREADS];
static int rank;

static int is_wrong(int code, MPI_Comm newcomm, int expected_size)
{
    return MPI_SUCCESS != code || MPI_COMM_NULL == newcomm || !is_usable(newcomm) || size_of(newcomm) != expected_size;
}

/* Process i is on core i of FOUR_CORES. */
static void split_all_ways(int thread, int round)
{
    const int size = size_of(own[thread]), pair = rank / 2 * 2 + 1 < size ? 2 : 1;
    MPI_Info info = info_with(HW_TYPE, "Package");
    MPI_Comm newcomm = MPI_COMM_NULL, steps[4], roots[4];
    int num_steps = 0;

    int code = MPI_Comm_split_type(own[thread], MPI_COMM_TYPE_HW_GUIDED, round % 2 ? rank : -rank, info, &newcomm);
    num_wrong[thread] += is_wrong(code, newcomm, pair);
    free_comm(&newcomm);
    code = MPI_Comm_split_type(own[thread], MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm);
    num_wrong[thread] += is_wrong(code, newcomm, size);
    free_comm(&newcomm);
    code = MPIX_Comm_split_hierarchy(own[thread], 4, steps, roots, NULL, &num_steps);
    num_wrong[thread] += MPI_SUCCESS != code || num_steps != (1 == size ? 0 : 2 == size ? 1 : 2);
    for (int i = 0; MPI_SUCCESS == code && i < num_steps && i < 4; ++i) {
        num_wrong[thread] += !is_usable(steps[i]);
        free_comm(&steps[i]);
        free_comm(&roots[i]);
    }
    MPI_Info_free(&info);
}

static void *split_own(void *argument)
{
    const int thread = (int) (intptr_t) argument;

    for (int i = 0; i < NUM_ROUNDS; ++i) {
        MPI_Comm single[3];
        const int num_singles = (rank + thread + i) % 4;
        for (int j = 0; j < num_singles; ++j) {
            MPI_Comm_dup(own_self[thread], &single[j]); /* takes ids that others have free */
        }
        split_all_ways(thread, i);
        for (int j = 0; j < num_singles; ++j) {
            MPI_Comm_free(&single[j]);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!init_threads(&argc, &argv)) {
        return finish();
    }
    rank = rank_of(MPI_COMM_WORLD);
    simulate(FOUR_CORES, "core", NULL);
    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &own_self[i]);
    }
    run_threads(split_own);
    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_free(&own_self[i]);
    }
    return finish();
}
