/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     collective_time NAME BYTES SECONDS
 *
 * Prints the median time of a collective at the slowest process, in milliseconds. BYTES: of the message; of those with
 * a block for each process of all blocks. Knows nothing of HiTopo.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TIMES 1000

static int size;

static void call(const char *name, char *from, char *to, int bytes)
{
    if (0 == strcmp(name, "bcast")) {
        MPI_Bcast(from, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "reduce")) {
        MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "allreduce")) {
        MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "allgather")) {
        MPI_Allgather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "reduce_scatter_block")) {
        MPI_Reduce_scatter_block(from, to, bytes / size / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "alltoall")) {
        MPI_Alltoall(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "gather")) {
        MPI_Gather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "scatter")) {
        MPI_Scatter(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (0 == strcmp(name, "barrier")) {
        MPI_Barrier(MPI_COMM_WORLD);
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

int main(int argc, char **argv)
{
    static double times[MAX_TIMES];
    int rank, num = 0, goes_on = 1;

    MPI_Init(&argc, &argv);
    if (argc != 4) {
        fprintf(stderr, "usage: collective_time NAME BYTES SECONDS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int bytes = atoi(argv[2]);
    char *from = calloc((size_t) bytes + 1, 1), *to = calloc((size_t) bytes + 1, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    call(argv[1], from, to, bytes); /* connections */
    for (const double begin = MPI_Wtime(); goes_on;) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        call(argv[1], from, to, bytes);
        const double mine = MPI_Wtime() - start;
        MPI_Reduce(&mine, &times[num++], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        goes_on = num < MAX_TIMES && (num < 3 || MPI_Wtime() - begin < atof(argv[3]));
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    qsort(times, (size_t) num, sizeof(*times), is_before);
    if (0 == rank) {
        printf("collective_ms %.4f\n", times[num / 2] * 1000);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
