/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_languages.sh: four threads that send, probe and register at once. The main thread writes the trace.
 */
#include <pthread.h>

#include "test/mpi/profile/profile_trace.h"

#define NUM_THREADS 4
#define NUM_TIMES 500
#define OWN_TIMES 20

static MPI_Comm own[NUM_THREADS];

static void *talk(void *argument)
{
    const int thread = *(const int *) argument;
    int out[NUM_THREADS] = {0}, in[NUM_THREADS];
    MPI_Request request;
    MPI_Message message;
    MPI_Comm made;

    for (int i = 0; i < NUM_TIMES; ++i) {
        MPI_Isend(out, thread + 1, MPI_INT, right, thread, MPI_COMM_WORLD, &request);
        if (0 == i % 2) {
            MPI_Recv(in, NUM_THREADS, MPI_INT, left, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Mprobe(left, thread, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(in, NUM_THREADS, MPI_INT, &message, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    /* Others' look-ups meet the changes of these. */
    for (int i = 0; i < OWN_TIMES; ++i) {
        MPI_Comm_dup(own[thread], &made);
        MPIX_Comm_register(made, "made");
        MPIX_Comm_unregister(made);
        MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, made);
        MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, own[thread]);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void trace_many(int count, const char *line)
{
    for (int i = 0; i < count; ++i) {
        trace("%s", line);
    }
}

int main(int argc, char **argv)
{
    static const char *const labels[NUM_THREADS] = {"thread0", "thread1", "thread2", "thread3"};
    int provided, numbers[NUM_THREADS];
    pthread_t threads[NUM_THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    trace_begin(argc, argv);
    if (MPI_THREAD_MULTIPLE != provided || NULL == MPIX_Comm_register) {
        fprintf(stderr, "no threads, or no HiTopo\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        CALL(MPI_Comm_dup, "MPI_COMM_WORLD", "", MPI_COMM_WORLD, &own[i]);
        trace_comm(own[i], labels[i], 1);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, talk, &numbers[i]);
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_join(threads[i], NULL);
        trace_many(NUM_TIMES, text("call MPI_Isend MPI_COMM_WORLD dest=%d bytes=%d", right, 4 * (i + 1)));
        trace_many(NUM_TIMES / 2, "call MPI_Recv MPI_COMM_WORLD");
        trace_many(NUM_TIMES / 2, "call MPI_Mprobe MPI_COMM_WORLD");
        trace_many(NUM_TIMES / 2, "call MPI_Mrecv MPI_COMM_WORLD");
        trace_many(OWN_TIMES, text("call MPI_Comm_dup %s", labels[i]));
        trace_many(OWN_TIMES, text("call MPI_Allreduce %s bytes=4", labels[i]));
        MPI_Comm_free(&own[i]);
    }
    return trace_end();
}
