/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     collective_time NAME BYTES SECONDS [PREFERENCE...]
 *
 * Prints the median time of a collective at the slowest process, in milliseconds. BYTES: of the message; of those with
 * a block for each process of all blocks. bcast-holes, allgather-holes and alltoall-holes send 512 of each 1024 bytes.
 * alltoallv-near is for the next two ranks alone. Knows nothing of HiTopo.
 *
 * With each PREFERENCE (a value of ompi_comm_coll_preference) a duplicate of MPI_COMM_WORLD is called in turn with it.
 * Then it prints of each, MPI_COMM_WORLD first, the median time, and of its ratios to the first duplicate's time in the
 * same round the median and its 95 % interval.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 10000, MAX_WAYS = 8 };

static int size;
static double times[MAX_WAYS][MAX_ROUNDS];
static MPI_Datatype with_holes;

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

static void call_alltoallv(char *from, char *to, int block, int is_near, MPI_Comm comm)
{
    int rank, counts[size], begins[size];
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size; ++i) {
        const int distance = (i - rank + size) % size;
        counts[i] = is_near && 1 != distance && size - 1 != distance ? 0 : block;
        begins[i] = i * block;
    }
    MPI_Alltoallv(from, counts, begins, MPI_CHAR, to, counts, begins, MPI_CHAR, comm);
}

static void call(const char *name, char *from, char *to, int bytes, MPI_Comm comm)
{
    if (NULL != strstr(name, "-holes")) {
        call_with_holes(name, from, to, bytes, comm);
    } else if (0 == strcmp(name, "bcast")) {
        MPI_Bcast(from, bytes, MPI_CHAR, 0, comm);
    } else if (0 == strcmp(name, "reduce")) {
        MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, comm);
    } else if (0 == strcmp(name, "allreduce")) {
        MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
    } else if (0 == strcmp(name, "allgather")) {
        MPI_Allgather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm);
    } else if (0 == strcmp(name, "reduce_scatter_block")) {
        MPI_Reduce_scatter_block(from, to, bytes / size / 8, MPI_DOUBLE, MPI_SUM, comm);
    } else if (0 == strcmp(name, "alltoall")) {
        MPI_Alltoall(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm);
    } else if (0 == strncmp(name, "alltoallv", strlen("alltoallv"))) {
        call_alltoallv(from, to, bytes / size, NULL != strstr(name, "-near"), comm);
    } else if (0 == strcmp(name, "gather")) {
        MPI_Gather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, 0, comm);
    } else if (0 == strcmp(name, "scatter")) {
        MPI_Scatter(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, 0, comm);
    } else if (0 == strcmp(name, "barrier")) {
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
    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_comm_coll_preference", preference);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    return comm;
}

/* At the slowest process; of use at the first. */
static double time_of(const char *name, char *from, char *to, int bytes, MPI_Comm comm)
{
    double slowest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    call(name, from, to, bytes, comm);
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
static int call_in_turn(const char *name, int bytes, double seconds, const MPI_Comm comms[], int num_ways)
{
    char *from = calloc(2 * (size_t) bytes + 1, 1), *to = calloc(2 * (size_t) bytes + 1, 1);
    int order[MAX_WAYS], num = 0, goes_on = 1;
    for (int way = 0; way < num_ways; ++way) {
        order[way] = way;
        call(name, from, to, bytes, comms[way]); /* connections */
    }
    for (const double begin = MPI_Wtime(); goes_on; ++num) {
        shuffle(order, num_ways);
        for (int i = 0; i < num_ways; ++i) {
            times[order[i]][num] = time_of(name, from, to, bytes, comms[order[i]]);
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
    MPI_Comm comms[MAX_WAYS];
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
        comms[way] = duplicate(argv[4 + way]);
    }
    comms[num_duplicates] = MPI_COMM_WORLD;
    const int num = call_in_turn(argv[1], atoi(argv[2]), atof(argv[3]), comms, num_duplicates + 1);
    for (int way = num_duplicates; 0 == rank && way >= 0; --way) { /* the first is compared with, and so the last */
        print(times[way], times[0], num, way < num_duplicates ? argv[4 + way] : "MPI_COMM_WORLD");
    }
    for (int way = 0; way < num_duplicates; ++way) {
        MPI_Comm_free(&comms[way]);
    }
    MPI_Finalize();
    return 0;
}
