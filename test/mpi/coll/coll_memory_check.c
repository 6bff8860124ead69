/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What collectives take beside the caller's buffers:
 *
 *     coll_memory_check segments   for long messages: memory of segments
 *     coll_memory_check lifetime   what a communicator's collectives keep goes with it: 10 000 are made, used and freed
 *     coll_memory_check free       as many are freed before their collectives are complete
 *
 * In the latter two, the resident memory of the second half is flat.
 */
#include "test/mpi/checks.h"
#include "test/mpi/coll/calls.h"
#include "test/mpi/table/resident.h"

static int rank, size;

/* ---- segments ---- */

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

static void add_gapped(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *num; ++i) {
        ((double *) inout)[2 * i] += ((double *) in)[2 * i];
    }
}

/* Messages of 48 MiB and 16 MiB for segments, windows and what Open MPI keeps for itself. */
static void check_segments(void)
{
    enum { NUM = 6 << 20, MOST_KIB = 16 << 10 };
    static const int kinds[] = {BCAST, REDUCE, ALLREDUCE, ALLGATHER, REDUCE_SCATTER_BLOCK, ALLTOALL};
    double *from = malloc(2 * NUM * sizeof(*from)), *to = malloc(2 * NUM * sizeof(*to));
    MPI_Datatype gapped;
    MPI_Op op;

    memset(from, 0, 2 * NUM * sizeof(*from));
    memset(to, 0, 2 * NUM * sizeof(*to));
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Op_create(add_gapped, 1, &op);
    for (size_t i = 0; i < 2 * sizeof(kinds) / sizeof(*kinds); ++i) {
        const int kind = kinds[i / 2], has_gaps = i % 2, count = kind < ALLGATHER ? NUM : NUM / size;
        const MPI_Datatype type = has_gaps ? gapped : MPI_DOUBLE;
        const arguments_t with = {from, to, count, count, 0, type, type, .op = has_gaps ? op : MPI_SUM};
        forget_peak();
        const long before = status_of("VmRSS:");
        perform(kind, BLOCKING, &with, MPI_COMM_WORLD, NULL);
        const long more = status_of("VmHWM:") - before;
        if (more > MOST_KIB) {
            fprintf(stderr, "%s%s: %ld KiB at rank %d\n", names[kind], has_gaps ? " with holes" : "", more, rank);
        }
        CHECK(before > 0 && more <= MOST_KIB);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&gapped);
    free(from);
    free(to);
}

/* ---- communicators that come and go ---- */

/* With shared memory, from the eighth call on. */
static void use(MPI_Comm comm, int i)
{
    for (int call = 0; call < 9; ++call) {
        int sum = i + call;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK(sum == (i + call) * size);
    }
}

static void make_and_free(int i)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    use(comm, i);
    MPI_Comm_free(&comm);
}

/* More at once than a process shares memory for. */
static void make_many(void)
{
    enum { MANY = 70 };
    MPI_Comm comms[MANY];

    for (int i = 0; i < MANY; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        use(comms[i], i);
    }
    for (int i = 0; i < MANY; ++i) {
        use(comms[i], i);
        MPI_Comm_free(&comms[i]);
    }
}

static void free_before(int i)
{
    enum { NUM = 2000 };
    static int sums[NUM], values[NUM];
    int one = i, sum = 0;
    MPI_Request requests[4];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int j = 0; j < NUM; ++j) {
        sums[j] = i + j;
        values[j] = 0 == rank ? i - j : -1;
    }
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Ibcast(values, NUM, MPI_INT, 0, comm, &requests[1]);
    MPI_Iallreduce(MPI_IN_PLACE, sums, NUM, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Ibarrier(comm, &requests[3]);
    MPI_Comm_free(&comm);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == i * size);
    for (int j = 0; j < NUM; ++j) {
        CHECK(sums[j] == (i + j) * size && values[j] == i - j);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    if (0 == strcmp(mode, "segments")) {
        check_segments();
    } else if (0 == strcmp(mode, "lifetime")) {
        make_many();
        (void) make_and_free_many(make_and_free);
    } else if (0 == strcmp(mode, "free")) {
        (void) make_and_free_many(free_before);
    } else {
        CHECK(!"a mode");
    }
    return finish();
}
