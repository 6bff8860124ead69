/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The halo exchange of a program on a two-dimensional grid, as most are written: plain MPI, which lets MPI choose who
 * has which part of the grid (reorder = 1), and asks the new communicator for everything.
 *
 *     halo [BYTES [ROUNDS]]      to each neighbour, by default 65536; and 20 times
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_DIMS = 2, NUM_NEIGHBOURS = 2 * NUM_DIMS };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Each edge of this process's part: all bytes are its rank's lowest byte. */
static void fill(char *edges, int bytes, int rank)
{
    memset(edges, rank & 0xff, (size_t) NUM_NEIGHBOURS * (size_t) bytes);
}

/* How many of the edges that came are not their sender's. */
static int num_wrong(const char *edges, int bytes, MPI_Comm grid)
{
    int wrong = 0;

    for (int d = 0; d < NUM_DIMS; ++d) {
        int neighbours[2];
        MPI_Cart_shift(grid, d, 1, &neighbours[0], &neighbours[1]);
        for (int side = 0; side < 2; ++side) {
            const char *edge = edges + (size_t) (2 * d + side) * (size_t) bytes;
            const char expected = (char) (neighbours[side] & 0xff);
            if (MPI_PROC_NULL != neighbours[side] && (edge[0] != expected || edge[bytes - 1] != expected)) {
                ++wrong;
            }
        }
    }
    return wrong;
}

/* Seconds that the slowest process took for each round, at rank 0. */
static void exchange(MPI_Comm grid, int bytes, int num_rounds, const char *out, char *in, double *seconds)
{
    for (int round = 0; round < num_rounds; ++round) {
        MPI_Barrier(grid);
        const double start = MPI_Wtime();
        MPI_Neighbor_alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, grid);
        const double own = MPI_Wtime() - start;
        MPI_Reduce(&own, &seconds[round], 1, MPI_DOUBLE, MPI_MAX, 0, grid);
    }
}

static MPI_Comm make_grid(int dims[NUM_DIMS])
{
    const int periods[NUM_DIMS] = {0, 0};
    int size;
    MPI_Comm grid;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, NUM_DIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, NUM_DIMS, dims, periods, 1, &grid);
    return grid;
}

int main(int argc, char **argv)
{
    const int bytes = argc > 1 ? atoi(argv[1]) : 65536, num_rounds = argc > 2 ? atoi(argv[2]) : 20;
    int rank, dims[NUM_DIMS] = {0, 0}, wrong, all_wrong;

    MPI_Init(&argc, &argv);
    if (bytes < 1 || num_rounds < 1) {
        fprintf(stderr, "usage: halo [BYTES [ROUNDS]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm grid = make_grid(dims);
    char *edges = calloc(2 * NUM_NEIGHBOURS, (size_t) bytes), *in = edges + (size_t) NUM_NEIGHBOURS * (size_t) bytes;
    double *seconds = calloc((size_t) num_rounds, sizeof(*seconds));
    MPI_Comm_rank(grid, &rank);
    fill(edges, bytes, rank);
    exchange(grid, bytes, num_rounds, edges, in, seconds);
    wrong = num_wrong(in, bytes, grid);
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, grid);
    if (0 == rank) {
        qsort(seconds, (size_t) num_rounds, sizeof(*seconds), by_value);
        printf("%d x %d, %d bytes to each neighbour: %.2f ms, %d wrong edges\n", dims[0], dims[1], bytes,
               1e3 * seconds[num_rounds / 2], all_wrong);
    }
    free(seconds);
    free(edges);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
