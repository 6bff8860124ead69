/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What collectives of long messages take beside the caller's buffers.
 */
#include <mpi.h>

#include "test/mpi/checks.h"

static int rank, size;

/* In KiB, of /proc/self/status. */
static long status_of(const char *key)
{
    char line[256];
    long value = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (NULL != status && NULL != fgets(line, sizeof(line), status)) {
        if (0 == strncmp(line, key, strlen(key))) {
            value = atol(line + strlen(key));
        }
    }
    if (NULL != status) {
        fclose(status);
    }
    return value;
}

static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    CHECK(NULL != file && EOF != fputs("5", file) && 0 == fclose(file));
}

enum { BCAST, REDUCE, ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL, NUM_KINDS };

static void call(int kind, void *from, void *to, int count, MPI_Datatype type, MPI_Op op)
{
    switch (kind) {
    case BCAST:
        MPI_Bcast(from, count, type, 0, MPI_COMM_WORLD);
        break;
    case REDUCE:
        MPI_Reduce(from, to, count, type, op, 0, MPI_COMM_WORLD);
        break;
    case ALLREDUCE:
        MPI_Allreduce(from, to, count, type, op, MPI_COMM_WORLD);
        break;
    case ALLGATHER:
        MPI_Allgather(from, count / size, type, to, count / size, type, MPI_COMM_WORLD);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter_block(from, to, count / size, type, op, MPI_COMM_WORLD);
        break;
    default:
        MPI_Alltoall(from, count / size, type, to, count / size, type, MPI_COMM_WORLD);
    }
}

static void add_gapped(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *num; ++i) {
        ((double *) inout)[2 * i] += ((double *) in)[2 * i];
    }
}

/* Messages of 48 MiB and 16 MiB for segments, windows and what Open MPI keeps for itself. */
static void check_memory(void)
{
    enum { NUM = 6 << 20, MOST_KIB = 16 << 10 };
    double *from = malloc(2 * NUM * sizeof(*from)), *to = malloc(2 * NUM * sizeof(*to));
    MPI_Datatype gapped;
    MPI_Op op;

    memset(from, 0, 2 * NUM * sizeof(*from));
    memset(to, 0, 2 * NUM * sizeof(*to));
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Op_create(add_gapped, 1, &op);
    for (int kind = 0; kind < NUM_KINDS; ++kind) {
        for (int has_gaps = 0; has_gaps < 2; ++has_gaps) {
            forget_peak();
            const long before = status_of("VmRSS:");
            call(kind, from, to, NUM, has_gaps ? gapped : MPI_DOUBLE, has_gaps ? op : MPI_SUM);
            const long more = status_of("VmHWM:") - before;
            if (more > MOST_KIB) {
                fprintf(stderr, "kind %d%s: %ld KiB at rank %d\n", kind, has_gaps ? " with holes" : "", more, rank);
            }
            CHECK(before > 0 && more <= MOST_KIB);
        }
    }
    MPI_Op_free(&op);
    MPI_Type_free(&gapped);
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    check_memory();
    return finish();
}
