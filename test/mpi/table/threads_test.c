/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Local functions are thread safe: threads ask for tables of shared and of their own communicators
 * while those are made and freed.
 */
/* ranks: 1 2 4 */
/* mpirun 6.0: --mca btl self,tcp */
#include <pthread.h>

#include "test/mpi/checks.h"

#define NUM_THREADS 4
#define NUM_ROUNDS 50

static MPI_Comm shared;
static MPI_Comm own[NUM_THREADS];
static int num_wrong[NUM_THREADS];

static void *ask(void *argument)
{
    const int thread = (int) (intptr_t) argument;

    for (int i = 0; i < NUM_ROUNDS; ++i) {
        MPI_Comm copy;
        num_wrong[thread] += NULL == ompi_hitopo_get_addrs(inner(shared));
        MPI_Comm_dup(own[thread], &copy);
        num_wrong[thread] += NULL == ompi_hitopo_get_addr(inner(copy), 0);
        MPI_Comm_free(&copy);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[NUM_THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "SKIPPED: Open MPI does not provide MPI_THREAD_MULTIPLE\n");
        return finish();
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD), &shared);
    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        CHECK(0 == pthread_create(&threads[i], NULL, ask, (void *) (intptr_t) i));
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_join(threads[i], NULL);
        CHECK(0 == num_wrong[i]);
        MPI_Comm_free(&own[i]);
    }
    MPI_Comm_free(&shared);
    return finish();
}
