/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks in several threads, each with a duplicate of MPI_COMM_WORLD of its own.
 */
#ifndef TEST_MPI_THREADS_H
#define TEST_MPI_THREADS_H

#include <pthread.h>

#include "test/mpi/checks.h"

#ifndef NUM_THREADS
#define NUM_THREADS 4
#endif

static MPI_Comm own[NUM_THREADS];
static int num_wrong[NUM_THREADS]; /* CHECK is the main thread's */

/* Begins MPI. False, which it says, where Open MPI does not provide threads: only finish() may follow. */
static inline int init_threads(int *argc, char ***argv)
{
    int provided;

    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "SKIPPED: Open MPI does not provide MPI_THREAD_MULTIPLE\n");
        return 0;
    }
    return 1;
}

/* Calls work with 0, 1, .. as an intptr_t, each in a thread. Collective over MPI_COMM_WORLD. */
static inline void run_threads(void *(*work)(void *) )
{
    pthread_t threads[NUM_THREADS];

    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        CHECK(0 == pthread_create(&threads[i], NULL, work, (void *) (intptr_t) i));
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_join(threads[i], NULL);
        CHECK(0 == num_wrong[i]);
        MPI_Comm_free(&own[i]);
    }
}

#endif
