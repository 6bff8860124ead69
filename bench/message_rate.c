/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the profiler costs: a message-rate loop of 8-byte messages between two processes, calling MPI_ (which the
 * profiler wraps) and PMPI_ (which it does not) by turns, on a communicator that is not registered and on one that
 * is. Prints for each the median of the ratios of each two neighbouring rounds, at rank 0. 2 ranks; with an argument,
 * the messages go one by one by MPI_Send instead of in windows of 64.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 64, WINDOWS_OF_ROUND = 200, ROUNDS = 301 };

static char buffer[WINDOW][8];
static bool is_blocking;

/* The same loop by both names of each function. */
#define DEFINE_ROUND(name, P)                                                                  \
    static void name(MPI_Comm comm, int rank)                                                  \
    {                                                                                          \
        MPI_Request requests[WINDOW];                                                          \
                                                                                               \
        for (int i = 0; i < WINDOWS_OF_ROUND; ++i) {                                           \
            for (int j = 0; is_blocking && j < WINDOW; ++j) {                                  \
                if (0 == rank) {                                                               \
                    P##MPI_Send(buffer[j], 8, MPI_BYTE, 1, 0, comm);                           \
                } else {                                                                       \
                    P##MPI_Recv(buffer[j], 8, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);        \
                }                                                                              \
            }                                                                                  \
            for (int j = 0; !is_blocking && j < WINDOW; ++j) {                                 \
                if (0 == rank) {                                                               \
                    P##MPI_Isend(buffer[j], 8, MPI_BYTE, 1, 0, comm, &requests[j]);            \
                } else {                                                                       \
                    P##MPI_Irecv(buffer[j], 8, MPI_BYTE, 0, 0, comm, &requests[j]);            \
                }                                                                              \
            }                                                                                  \
            if (!is_blocking) {                                                                \
                P##MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);                         \
            }                                                                                  \
            /* Nobody runs ahead: a queue of unexpected messages would be what is measured. */ \
            if (0 == rank) {                                                                   \
                PMPI_Recv(buffer, 1, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);                 \
            } else {                                                                           \
                PMPI_Send(buffer, 1, MPI_BYTE, 0, 1, comm);                                    \
            }                                                                                  \
        }                                                                                      \
    }
DEFINE_ROUND(with_profiler, )
DEFINE_ROUND(without_profiler, P)

static double seconds_of(void (*round)(MPI_Comm, int), MPI_Comm comm, int rank)
{
    PMPI_Barrier(comm);
    const double start = PMPI_Wtime();
    round(comm, rank);
    return PMPI_Wtime() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static void measure(const char *name, MPI_Comm comm, int rank)
{
    double ratios[ROUNDS], without = 0;

    for (int i = -10; i < ROUNDS; ++i) { /* the first ones are to warm up */
        const double plain = seconds_of(without_profiler, comm, rank);
        const double profiled = seconds_of(with_profiler, comm, rank);
        if (0 <= i) {
            ratios[i] = profiled / plain;
            without += plain;
        }
    }
    qsort(ratios, ROUNDS, sizeof(ratios[0]), compare);
    if (0 == rank) {
        printf("%-14s %6.3f  (quartiles %.3f %.3f; %.0f ns a message without)\n", name, ratios[ROUNDS / 2],
               ratios[ROUNDS / 4], ratios[3 * ROUNDS / 4], 1e9 * without / ROUNDS / WINDOWS_OF_ROUND / WINDOW);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm unregistered;
    int rank, size;

    MPI_Init(&argc, &argv);
    is_blocking = 1 < argc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (2 != size) {
        fprintf(stderr, "message_rate: 2 processes, not %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &unregistered);
    measure("unregistered", unregistered, rank);
    measure("registered", MPI_COMM_WORLD, rank);
    MPI_Comm_free(&unregistered);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
