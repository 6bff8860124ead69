/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The price of the profiler: loops of calls by MPI_, which it wraps, and by PMPI_, which it does not, by turns. Prints
 * ns a call of both, from the rounds that took least, and their ratio, at rank 0. Ends with status 1 where a call costs
 * more than LIMIT_NS, or calls on 1000 communicators in turn three times as much as on one. 1 process, of which all
 * messages go to itself, or 2.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 400, COMMS = 1000, LIMIT_NS = 25 };

static MPI_Comm comms[COMMS];
static MPI_Request waiting;
static int rank, size, peer;
static char out[8], in[4][8];

/* clang-format off: what follows are loops and not declarations. */
/* NAME(COUNT): the loop by both names of each function. */
#define DEFINE(name, P, ...)              \
    static void name##_##P(int count)     \
    {                                     \
        for (int i = 0; i < count; ++i) { \
            __VA_ARGS__                   \
        }                                 \
    }
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define DEFINE_ALL(P)                                                                               \
    DEFINE(probe, P, int flag; P##MPI_Iprobe(peer, 7, WORLD, &flag, IGNORE);)                       \
    DEFINE(test, P, int flag; P##MPI_Test(&waiting, &flag, IGNORE);)                                \
    DEFINE(barrier, P, P##MPI_Barrier(comms[0]);)                                                   \
    DEFINE(in_turn, P, P##MPI_Barrier(comms[i % COMMS]);)                                           \
    DEFINE(allreduce, P, double a = 1, b; P##MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, WORLD);) \
    DEFINE(                                                                                         \
        ping_pong, P,                                                                               \
        if (0 == rank) {                                                                            \
            P##MPI_Send(out, 8, MPI_BYTE, 1, 0, WORLD);                                             \
            P##MPI_Recv(in[0], 8, MPI_BYTE, 1, 0, WORLD, IGNORE);                                   \
        } else {                                                                                    \
            P##MPI_Recv(in[0], 8, MPI_BYTE, 0, 0, WORLD, IGNORE);                                   \
            P##MPI_Send(out, 8, MPI_BYTE, 0, 0, WORLD);                                             \
        })                                                                                          \
    DEFINE(                                                                                         \
        wait_all, P, MPI_Request all[8]; for (int k = 0; k < 4; ++k) {                              \
            P##MPI_Irecv(in[k], 8, MPI_BYTE, peer, k, WORLD, &all[k]);                              \
        } for (int k = 0; k < 4; ++k) {                                                             \
            P##MPI_Isend(out, 8, MPI_BYTE, peer, k, WORLD, &all[4 + k]);                            \
        } P##MPI_Waitall(8, all, MPI_STATUSES_IGNORE);)                                             \
    DEFINE(make, P, MPI_Comm made; P##MPI_Comm_dup(WORLD, &made); P##MPI_Barrier(made); P##MPI_Comm_free(&made);)
DEFINE_ALL()
DEFINE_ALL(P)
/* clang-format on */

static double seconds_of(void (*loop)(int), int count)
{
    PMPI_Barrier(WORLD);
    const double start = PMPI_Wtime();
    loop(count);
    return PMPI_Wtime() - start;
}

/* num_calls: of the loop's body. Returns the ns that each costs more. */
static double measure(const char *name, void (*with)(int), void (*without)(int), int count, int num_calls)
{
    double plain = 1e9, profiled = 1e9;

    for (int i = 0; i < ROUNDS; ++i) {
        const double seconds = seconds_of(without, count);
        plain = seconds < plain ? seconds : plain;
        const double more = seconds_of(with, count);
        profiled = more < profiled ? more : profiled;
    }
    const double ns = 1e9 / count / num_calls;
    if (0 == rank) {
        printf("    %-38s %9.1f %9.1f %7.1f %6.2f\n", name, ns * plain, ns * profiled, ns * (profiled - plain),
               profiled / plain);
    }
    return ns * (profiled - plain);
}
#define MEASURE(name, what, count, num_calls) measure(what, name##_, name##_P, count, num_calls)

int main(int argc, char **argv)
{
    double most = 0, one = 0, turns = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    peer = size - 1 - rank;
    for (int i = 0; i < COMMS; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    }
    if (0 == rank) {
        printf("    %-38s %9s %9s %7s %6s\n", 1 == size ? "to itself" : "two processes", "without", "with", "more",
               "ratio");
    }
    if (1 == size) {
        MPI_Irecv(in[0], 8, MPI_BYTE, 0, 99, WORLD, &waiting);
        const double costs[] = {MEASURE(probe, "MPI_Iprobe", 5000, 1),
                                MEASURE(test, "MPI_Test that finds nothing", 5000, 1),
                                MEASURE(allreduce, "MPI_Allreduce of 8 bytes", 3000, 1),
                                MEASURE(wait_all, "4 MPI_Irecv, 4 MPI_Isend, MPI_Waitall", 300, 9),
                                one = MEASURE(barrier, "MPI_Barrier on one communicator", 5000, 1),
                                turns = MEASURE(in_turn, "MPI_Barrier on 1000 in turn", 5000, 1)};
        for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); ++i) {
            most = costs[i] > most ? costs[i] : most;
        }
        (void) MEASURE(make, "MPI_Comm_dup, MPI_Barrier, MPI_Comm_free", 40, 3);
        MPI_Send(out, 8, MPI_BYTE, 0, 99, WORLD);
        MPI_Wait(&waiting, IGNORE);
    } else {
        (void) MEASURE(ping_pong, "8 bytes to and fro", 500, 2);
        (void) MEASURE(allreduce, "MPI_Allreduce of 8 bytes", 500, 1);
        (void) MEASURE(wait_all, "4 MPI_Irecv, 4 MPI_Isend, MPI_Waitall", 100, 9);
    }
    for (int i = 0; i < COMMS; ++i) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    if (LIMIT_NS < most || 3 * one < turns) {
        fprintf(stderr, "profile_price: more than %d ns a call, or 1000 communicators cost three times one\n",
                LIMIT_NS);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
