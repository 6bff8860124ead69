/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     profile_served WHAT ROUNDS BYTES
 *
 * Collectives of MPI_COMM_WORLD, each ROUNDS times: `bcast` from rank 0, `ibcast`, `allreduce`, `alltoall`, `barrier`,
 * `all` of those that coll/hitopo serves, or `others`: some that it hands on, of which parts may come back to it, and
 * some of other communicators. BYTES are a message's, a multiple of 8 for each rank.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, count, *counts, *displacements;
static long *in, *out;

static void bcast(void)
{
    MPI_Bcast(in, count, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void ibcast(void)
{
    MPI_Request request;

    MPI_Ibcast(in, count, MPI_LONG, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void allreduce(void)
{
    MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(void)
{
    MPI_Alltoall(in, count / size, MPI_LONG, out, count / size, MPI_LONG, MPI_COMM_WORLD);
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all(void)
{
    const int each = count / size;

    barrier();
    bcast();
    MPI_Reduce(in, out, count, MPI_LONG, MPI_SUM, size - 1, MPI_COMM_WORLD);
    allreduce();
    MPI_Allgather(in, each, MPI_LONG, out, each, MPI_LONG, MPI_COMM_WORLD);
    MPI_Allgatherv(in, counts[rank], MPI_LONG, out, counts, displacements, MPI_LONG, MPI_COMM_WORLD);
    alltoall();
    MPI_Reduce_scatter(in, out, counts, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(in, out, each, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void take_second(void *first, void *second, int *length, MPI_Datatype *type)
{
    (void) first;
    (void) second;
    (void) length;
    (void) type;
}

static void others(void)
{
    MPI_Comm copy, half;
    MPI_Op second;

    MPI_Op_create(take_second, 0, &second);
    MPI_Allreduce(in, out, count, MPI_LONG, second, MPI_COMM_WORLD);
    MPI_Reduce(in, out, count, MPI_LONG, second, 0, MPI_COMM_WORLD);
    MPI_Op_free(&second);
    MPI_Gather(in, 1, MPI_LONG, out, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Bcast(in, count, MPI_LONG, 0, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, half);
    MPI_Comm_free(&half);
}

static const struct {
    const char *name;
    void (*call)(void);
} kinds[] = {{"bcast", bcast},     {"ibcast", ibcast}, {"allreduce", allreduce}, {"alltoall", alltoall},
             {"barrier", barrier}, {"all", all},       {"others", others}};

int main(int argc, char **argv)
{
    const char *what = 3 < argc ? argv[1] : "all";
    const int rounds = 3 < argc ? atoi(argv[2]) : 1;
    const size_t bytes = 3 < argc ? (size_t) atol(argv[3]) : 4096;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = calloc(bytes, 2);
    out = calloc(bytes, 2);
    counts = calloc((size_t) size, sizeof(*counts));
    displacements = calloc((size_t) size, sizeof(*displacements));
    count = (int) (bytes / sizeof(*in));
    for (int i = 0; i < size; ++i) { /* unequal blocks */
        counts[i] = count / size - (0 == i) + (size - 1 == i);
        displacements[i] = 0 == i ? 0 : displacements[i - 1] + counts[i - 1];
    }
    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); ++kind) {
        for (int round = 0; round < rounds && 0 == strcmp(what, kinds[kind].name); ++round) {
            kinds[kind].call();
        }
    }
    free(in);
    free(out);
    free(counts);
    free(displacements);
    MPI_Finalize();
    return 0;
}
