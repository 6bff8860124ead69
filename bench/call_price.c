/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the profiler costs a call: loops that call MPI_ (which the profiler wraps) and PMPI_ (which it does not) by
 * turns, in a ring, which is one process with itself or more. Rank 0 prints nanoseconds a call without the profiler,
 * and how many more with it, medians of pairs of neighbouring rounds. Of one process it judges: fails where that is
 * more than 25, or where 1000 communicators in turn cost more than three times what one does.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 301, LOOPS = 2000, NUM_COMMS = 1000, WANTED_NS = 25, WANTED_TIMES = 3 };

static MPI_Comm comms[NUM_COMMS];
static MPI_Request pending;
static int rank, size, left, right, in[2], out[2], flag;
static double more_of_one, worst;

/* The same loop by both names of each function. */
#define DEFINE(name, body_with, body_without) \
    static void with_##name(void)             \
    {                                         \
        MPI_Request request;                  \
        (void) request;                       \
        for (int i = 0; i < LOOPS; ++i) {     \
            body_with;                        \
        }                                     \
    }                                         \
    static void without_##name(void)          \
    {                                         \
        MPI_Request request;                  \
        (void) request;                       \
        for (int i = 0; i < LOOPS; ++i) {     \
            body_without;                     \
        }                                     \
    }
#define MESSAGE(P)                                                   \
    P##MPI_Irecv(in, 2, MPI_INT, left, 0, MPI_COMM_WORLD, &request); \
    P##MPI_Send(out, 2, MPI_INT, right, 0, MPI_COMM_WORLD);          \
    P##MPI_Wait(&request, MPI_STATUS_IGNORE)
#define EXCHANGE(P) \
    P##MPI_Sendrecv(out, 2, MPI_INT, right, 0, in, 2, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define TEST(P) P##MPI_Test(&pending, &flag, MPI_STATUS_IGNORE)
#define PROBE(P) P##MPI_Iprobe(left, 1, comms[0], &flag, MPI_STATUS_IGNORE)
#define PROBE_IN_TURN(P) P##MPI_Iprobe(left, 1, comms[i % NUM_COMMS], &flag, MPI_STATUS_IGNORE)
#define ALLREDUCE(P) P##MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
DEFINE(message, MESSAGE(), MESSAGE(P))
DEFINE(exchange, EXCHANGE(), EXCHANGE(P))
DEFINE(test, TEST(), TEST(P))
DEFINE(probe, PROBE(), PROBE(P))
DEFINE(probe_in_turn, PROBE_IN_TURN(), PROBE_IN_TURN(P))
DEFINE(allreduce, ALLREDUCE(), ALLREDUCE(P))

static double ns_of(void (*loop)(void), int calls)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start = PMPI_Wtime();
    loop();
    return 1e9 * (PMPI_Wtime() - start) / LOOPS / calls;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static double measure(const char *name, int calls, void (*with)(void), void (*without)(void))
{
    double more[ROUNDS], plain[ROUNDS];

    for (int i = -10; i < ROUNDS; ++i) { /* the first ones are to warm up */
        const double before = ns_of(without, calls), profiled = ns_of(with, calls);
        if (0 <= i) {
            plain[i] = before;
            more[i] = profiled - before;
        }
    }
    qsort(more, ROUNDS, sizeof(more[0]), compare);
    qsort(plain, ROUNDS, sizeof(plain[0]), compare);
    if (0 == rank) {
        printf("%-34s %8.1f %8.1f   (quartiles %.1f %.1f)\n", name, plain[ROUNDS / 2], more[ROUNDS / 2],
               more[ROUNDS / 4], more[3 * ROUNDS / 4]);
    }
    worst = more[ROUNDS / 2] > worst ? more[ROUNDS / 2] : worst;
    return more[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (int i = 0; i < NUM_COMMS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    MPI_Irecv(&flag, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &pending);
    measure("MPI_Irecv, MPI_Send, MPI_Wait", 3, with_message, without_message);
    measure("MPI_Sendrecv", 1, with_exchange, without_exchange);
    measure("MPI_Test that finds nothing", 1, with_test, without_test);
    measure("MPI_Allreduce", 1, with_allreduce, without_allreduce);
    more_of_one = measure("MPI_Iprobe", 1, with_probe, without_probe);
    const double in_turn = measure("MPI_Iprobe, 1000 in turn", 1, with_probe_in_turn, without_probe_in_turn);
    MPI_Send(&flag, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    for (int i = 0; i < NUM_COMMS; ++i) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 1 == size && (WANTED_NS < worst || WANTED_TIMES * more_of_one < in_turn) ? EXIT_FAILURE : EXIT_SUCCESS;
}
