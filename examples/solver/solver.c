/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     solver [UNKNOWNS [ITERATIONS]]
 *
 * Jacobi's iteration for -u" = 1 with u = 0 at both ends. The inner loop of many solvers: each process has the new
 * values of a part of the unknowns, MPI_Reduce brings the parts together at rank 0 (overlaps, the halo, add up to one
 * value), and MPI_Bcast gives the whole to all. A program of plain MPI: it knows nothing of HiTopo.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* This process's part of the new values; 0 elsewhere. Unknowns at a border between two parts come half from each. */
static void relax(const double *old, double *new, int n, int begin, int end)
{
    for (int i = 0; i < n; ++i) {
        new[i] = 0;
    }
    for (int i = begin; i <= end && i < n; ++i) {
        const double left = i > 0 ? old[i - 1] : 0, right = i + 1 < n ? old[i + 1] : 0;
        const int is_shared = (i == begin && begin > 0) || (i == end && end < n);
        new[i] = (left + right + 1) / 2 * (is_shared ? 0.5 : 1);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int n = argc > 1 ? atoi(argv[1]) : 131072, num_iterations = argc > 2 ? atoi(argv[2]) : 20;
    double *u = calloc((size_t) n, sizeof(*u)), *part = calloc((size_t) n, sizeof(*part));
    if (n < size || NULL == u || NULL == part) {
        fprintf(stderr, "solver: %d unknowns are too few or too many\n", n);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int begin = (int) ((long) n * rank / size), end = (int) ((long) n * (rank + 1) / size);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < num_iterations; ++i) {
        relax(u, part, n, begin, end);
        MPI_Reduce(part, u, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    const double seconds = MPI_Wtime() - start;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += u[i];
    }
    if (0 == rank) {
        printf("sum of u %.6f\n%.3f ms an iteration\n", sum, seconds * 1000 / num_iterations);
    }
    free(u);
    free(part);
    MPI_Finalize();
    return 0;
}
