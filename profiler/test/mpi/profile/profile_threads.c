/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_threads.sh: eight threads that send, receive and wait at once, each on a communicator of its own and on
 * MPI_COMM_WORLD, while the main thread makes, names and frees others.
 *
 *     profile_threads ROUNDS
 */
#include <pthread.h>

#include "profiler/test/mpi/profile/profile_program.h"

#define NUM_THREADS 8
#define NUM_MADE 200

static MPI_Comm own[NUM_THREADS];
static int rounds;

static void *talk(void *argument)
{
    const int thread = *(const int *) argument;
    int out[NUM_THREADS] = {0}, in[NUM_THREADS];
    MPI_Request request;

    for (int i = 0; i < rounds; ++i) {
        MPI_Comm comm = 0 == i % 2 ? MPI_COMM_WORLD : own[thread];
        MPI_Irecv(in, NUM_THREADS, MPI_INT, left, thread, comm, &request);
        MPI_Send(out, thread + 1, MPI_INT, right, thread, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[NUM_THREADS];
    pthread_t threads[NUM_THREADS];
    MPI_Comm made;

    rounds = 1 < argc ? atoi(argv[1]) : 1000;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    find_ring(MPI_COMM_WORLD);
    if (MPI_THREAD_MULTIPLE != provided) {
        fprintf(stderr, "no threads\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &own[i]);
        numbers[i] = i;
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_create(&threads[i], NULL, talk, &numbers[i]);
    }
    for (int i = 0; i < NUM_MADE; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &made);
        MPI_Comm_set_name(made, "made");
        MPI_Comm_free(&made);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_free(&own[i]);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
