/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     collective_time NAME BYTES SECONDS [PREFERENCE...]
 *
 * Prints the median time of a collective at the slowest process, in milliseconds. BYTES: of the message; of those with
 * a block for each process of all blocks. bcast-holes, allgather-holes and alltoall-holes send 512 of each 1024 bytes.
 * alltoallv-near is for the next two ranks alone. ibcast and so on do not block; ibcast+work sleeps between start and
 * wait, with an MPI_Test every 100 us, as long as the first of the ways takes without that. bcast*5 is 5 calls in a
 * row, of roots 0 to 4: its time is that of all. Knows nothing of HiTopo.
 *
 * With each PREFERENCE (a value of ompi_comm_coll_preference, or NAME2@ and such a value, which may be empty) a
 * duplicate of MPI_COMM_WORLD is called in turn with it. Then it prints of each, MPI_COMM_WORLD first, the median time,
 * and of its ratios to the first duplicate's time in the same round the median and its 95 % interval.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ROUNDS = 10000, MAX_WAYS = 8, CALLS_BEFORE = 9 };

static int size;
static double times[MAX_WAYS][MAX_ROUNDS], work_seconds;
static MPI_Datatype with_holes;
static MPI_Request request;

typedef struct {
    const char *name;
    MPI_Comm comm;
} way_t;

enum { ELEMENT = 512 };

static void call_with_holes(const char *name, char *from, char *to, int bytes, MPI_Comm comm)
{
    const int num = bytes / ELEMENT, block = num / size;
    if (0 == strcmp(name, "bcast-holes")) {
        MPI_Bcast(from, num, with_holes, 0, comm);
    } else if (0 == strcmp(name, "allgather-holes")) {
        MPI_Allgather(from, block, with_holes, to, block, with_holes, comm);
    } else {
        MPI_Alltoall(from, block, with_holes, to, block, with_holes, comm);
    }
}

static void call_alltoallv(char *from, char *to, int block, int is_near, int does_block, MPI_Comm comm)
{
    int rank, counts[size], begins[size];
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size; ++i) {
        const int distance = (i - rank + size) % size;
        counts[i] = is_near && 1 != distance && size - 1 != distance ? 0 : block;
        begins[i] = i * block;
    }
    if (does_block) {
        MPI_Alltoallv(from, counts, begins, MPI_CHAR, to, counts, begins, MPI_CHAR, comm);
    } else {
        MPI_Ialltoallv(from, counts, begins, MPI_CHAR, to, counts, begins, MPI_CHAR, comm, &request);
    }
}

static int is_called(const char *name, const char *collective)
{
    const size_t length = strcspn(name, "+-*@");
    return strlen(collective) == length && 0 == strncmp(name, collective, length);
}

static void start(const char *name, int root, char *from, char *to, int bytes, MPI_Comm comm)
{
    if (is_called(name, "ibcast")) {
        MPI_Ibcast(from, bytes, MPI_CHAR, root, comm, &request);
    } else if (is_called(name, "ireduce")) {
        MPI_Ireduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, root, comm, &request);
    } else if (is_called(name, "iallreduce")) {
        MPI_Iallreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, comm, &request);
    } else if (is_called(name, "iallgather")) {
        MPI_Iallgather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm, &request);
    } else if (is_called(name, "ireduce_scatter_block")) {
        MPI_Ireduce_scatter_block(from, to, bytes / size / 8, MPI_DOUBLE, MPI_SUM, comm, &request);
    } else if (is_called(name, "ialltoall")) {
        MPI_Ialltoall(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm, &request);
    } else if (is_called(name, "ialltoallv")) {
        call_alltoallv(from, to, bytes / size, NULL != strstr(name, "-near"), 0, comm);
    } else if (is_called(name, "ibarrier")) {
        MPI_Ibarrier(comm, &request);
    }
}

static void work(void)
{
    int is_complete;
    for (const double end = MPI_Wtime() + work_seconds; MPI_Wtime() < end;) {
        usleep(100);
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    }
}

static void call(const char *name, int root, char *from, char *to, int bytes, MPI_Comm comm)
{
    request = MPI_REQUEST_NULL;
    start(name, root, from, to, bytes, comm);
    if (MPI_REQUEST_NULL != request) {
        if (NULL != strstr(name, "+work")) {
            work();
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (NULL != strstr(name, "-holes")) {
        call_with_holes(name, from, to, bytes, comm);
    } else if (is_called(name, "bcast")) {
        MPI_Bcast(from, bytes, MPI_CHAR, root, comm);
    } else if (is_called(name, "reduce")) {
        MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, root, comm);
    } else if (is_called(name, "allreduce")) {
        MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
    } else if (is_called(name, "allgather")) {
        MPI_Allgather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm);
    } else if (is_called(name, "reduce_scatter_block")) {
        MPI_Reduce_scatter_block(from, to, bytes / size / 8, MPI_DOUBLE, MPI_SUM, comm);
    } else if (is_called(name, "alltoall")) {
        MPI_Alltoall(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm);
    } else if (is_called(name, "alltoallv")) {
        call_alltoallv(from, to, bytes / size, NULL != strstr(name, "-near"), 1, comm);
    } else if (is_called(name, "gather")) {
        MPI_Gather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, root, comm);
    } else if (is_called(name, "scatter")) {
        MPI_Scatter(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, root, comm);
    } else if (is_called(name, "barrier")) {
        MPI_Barrier(comm);
    } else {
        fprintf(stderr, "collective_time: no collective is called %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static int is_before(const void *a, const void *b)
{
    const double difference = *(const double *) a - *(const double *) b;
    return (difference > 0) - (difference < 0);
}

static void sort(double *numbers, int n)
{
    qsort(numbers, (size_t) n, sizeof(*numbers), is_before);
}

static MPI_Comm duplicate(const char *preference)
{
    MPI_Info info;
    MPI_Comm comm;
    if ('\0' == *preference) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_comm_coll_preference", preference);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    return comm;
}

/* At the slowest process; of use at the first. */
static double time_of(const way_t *way, char *from, char *to, int bytes)
{
    const char *const repeated = strchr(way->name, '*');
    const int num_calls = NULL == repeated ? 1 : atoi(repeated + 1);
    double slowest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < num_calls; ++i) {
        call(way->name, i % size, from, to, bytes, way->comm);
    }
    const double mine = MPI_Wtime() - start;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

/* Sorts the way's times. */
static void print(double *of_way, const double *of_first, int num, const char *name)
{
    static double ratios[MAX_ROUNDS];
    const int deviations = (int) (0.98 * sqrt(num)); /* 1.96, of the number of heads in num throws of a coin */
    for (int round = 0; round < num; ++round) {
        ratios[round] = of_way[round] / of_first[round];
    }
    sort(ratios, num);
    sort(of_way, num);
    printf("collective_ms %.4f ratio %.3f %.3f %.3f %s\n", of_way[num / 2] * 1000, ratios[num / 2],
           ratios[num / 2 - deviations], ratios[num / 2 + deviations], name);
}

/* Another order in each round, the same at all: what a call takes depends on which one was before. */
static void shuffle(int *ways, int num_ways)
{
    static unsigned state = 1;
    for (int i = num_ways - 1; i > 0; --i) {
        state = 1664525 * state + 1013904223;
        const int other = (int) ((state >> 16) % (unsigned) (i + 1)), way = ways[i];
        ways[i] = ways[other];
        ways[other] = way;
    }
}

/* Returns the number of rounds. */
static int call_in_turn(int bytes, double seconds, const way_t ways[], int num_ways)
{
    char *from = calloc(2 * (size_t) bytes + 1, 1), *to = calloc(2 * (size_t) bytes + 1, 1);
    double before[CALLS_BEFORE];
    int order[MAX_WAYS], num = 0, goes_on = 1;
    for (int way = 0; way < num_ways; ++way) {
        order[way] = way;
        call(ways[way].name, 0, from, to, bytes, ways[way].comm); /* connections */
    }
    for (int i = 0; i < CALLS_BEFORE; ++i) {
        before[i] = time_of(&ways[0], from, to, bytes);
    }
    sort(before, CALLS_BEFORE);
    work_seconds = before[CALLS_BEFORE / 2];
    MPI_Bcast(&work_seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (const double begin = MPI_Wtime(); goes_on; ++num) {
        shuffle(order, num_ways);
        for (int i = 0; i < num_ways; ++i) {
            times[order[i]][num] = time_of(&ways[order[i]], from, to, bytes);
        }
        goes_on = num + 1 < MAX_ROUNDS && (num < 2 || MPI_Wtime() - begin < seconds);
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free(from);
    free(to);
    return num;
}

int main(int argc, char **argv)
{
    way_t ways[MAX_WAYS];
    const int num_duplicates = argc - 4;
    MPI_Datatype packed;
    int rank;

    MPI_Init(&argc, &argv);
    if (num_duplicates < 0 || num_duplicates >= MAX_WAYS) {
        fprintf(stderr, "usage: collective_time NAME BYTES SECONDS [PREFERENCE...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(ELEMENT, MPI_CHAR, &packed);
    MPI_Type_create_resized(packed, 0, 2 * ELEMENT, &with_holes);
    MPI_Type_commit(&with_holes);
    MPI_Type_free(&packed);
    for (int way = 0; way < num_duplicates; ++way) {
        const char *at = strchr(argv[4 + way], '@');
        ways[way].name = NULL == at ? argv[1] : argv[4 + way];
        ways[way].comm = duplicate(NULL == at ? argv[4 + way] : at + 1);
    }
    ways[num_duplicates] = (way_t){argv[1], MPI_COMM_WORLD};
    const int num = call_in_turn(atoi(argv[2]), atof(argv[3]), ways, num_duplicates + 1);
    for (int way = num_duplicates; 0 == rank && way >= 0; --way) { /* the first is compared with, and so the last */
        print(times[way], times[0], num, way < num_duplicates ? argv[4 + way] : "MPI_COMM_WORLD");
    }
    for (int way = 0; way < num_duplicates; ++way) {
        MPI_Comm_free(&ways[way].comm);
    }
    MPI_Finalize();
    return 0;
}
