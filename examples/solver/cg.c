/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     cg [UNKNOWNS [ITERATIONS]]
 *
 * Conjugate gradients for -u" = 1 with u = 0 at both ends, in the form of Ghysels and Vanroose (Parallel Computing 40,
 * 2014): the sums of an iteration, its norm among them, are on their way while the next product of the matrix is
 * computed. MPI makes progress within its calls, so the product calls MPI_Test now and then. A program of plain MPI: it
 * knows nothing of HiTopo.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 4096 }; /* unknowns between two MPI_Test */

static int num_own, lower, upper; /* unknowns of this process; the processes of those beside them */

/* Each vector has a place before and behind this process's part for the values beside it. */
static double *new_vector(void)
{
    double *vector = calloc((size_t) num_own + 2, sizeof(*vector));
    if (NULL == vector) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return vector + 1;
}

static void free_vector(double *vector)
{
    free(vector - 1);
}

/* out = A in, where A has 2 in the diagonal and -1 beside it. */
static void product(double *in, double *out, MPI_Request *sums)
{
    MPI_Request halo[4];
    int is_complete;

    MPI_Irecv(&in[-1], 1, MPI_DOUBLE, lower, 0, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(&in[num_own], 1, MPI_DOUBLE, upper, 0, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(&in[0], 1, MPI_DOUBLE, lower, 0, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(&in[num_own - 1], 1, MPI_DOUBLE, upper, 0, MPI_COMM_WORLD, &halo[3]);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    for (int begin = 0; begin < num_own; begin += BLOCK) {
        for (int i = begin; i < num_own && i < begin + BLOCK; ++i) {
            out[i] = 2 * in[i] - in[i - 1] - in[i + 1];
        }
        MPI_Test(sums, &is_complete, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Request sums = MPI_REQUEST_NULL;
    int rank, size, iteration;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int n = argc > 1 ? atoi(argv[1]) : 4000000, num_iterations = argc > 2 ? atoi(argv[2]) : 50;
    if (n < size) {
        fprintf(stderr, "cg: %d unknowns are too few\n", n);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    num_own = (int) ((long) n * (rank + 1) / size - (long) n * rank / size);
    lower = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    upper = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    /* u, the residual r, the direction p, and by A: w = A r, s = A p, z = A s, q = A w. */
    double *u = new_vector(), *r = new_vector(), *p = new_vector(), *w = new_vector(), *s = new_vector(),
           *z = new_vector(), *q = new_vector();
    double first = 0, gamma_before = 0, alpha = 0;
    for (int i = 0; i < num_own; ++i) {
        r[i] = 1;
    }
    product(r, w, &sums);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (iteration = 0; iteration < num_iterations; ++iteration) {
        double own[2] = {0, 0}, all[2];
        for (int i = 0; i < num_own; ++i) {
            own[0] += r[i] * r[i];
            own[1] += w[i] * r[i];
        }
        MPI_Iallreduce(own, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sums);
        product(w, q, &sums);
        MPI_Wait(&sums, MPI_STATUS_IGNORE);

        const double gamma = all[0], delta = all[1], beta = 0 == iteration ? 0 : gamma / gamma_before;
        first = 0 == iteration ? gamma : first;
        if (gamma <= 1e-24 * first) {
            break;
        }
        alpha = gamma / (0 == iteration ? delta : delta - beta * gamma / alpha);
        gamma_before = gamma;
        for (int i = 0; i < num_own; ++i) {
            z[i] = q[i] + beta * z[i];
            s[i] = w[i] + beta * s[i];
            p[i] = r[i] + beta * p[i];
            u[i] += alpha * p[i];
            r[i] -= alpha * s[i];
            w[i] -= alpha * z[i];
        }
    }
    const double seconds = MPI_Wtime() - start;
    double own = 0, all = 0;
    for (int i = 0; i < num_own; ++i) {
        own += u[i];
    }
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        printf("sum of u %.3f\n%d iterations, %.3f ms each\n", all, iteration, seconds * 1000 / iteration);
    }
    double *const vectors[] = {u, r, p, w, s, z, q};
    for (int i = 0; i < 7; ++i) {
        free_vector(vectors[i]);
    }
    MPI_Finalize();
    return 0;
}
