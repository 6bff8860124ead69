/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of `hitopo order`: a program whose traffic depends on its ranks in MPI_COMM_WORLD alone, and that knows
 * nothing of HiTopo.
 *
 *     order_halo STRIDE:BYTES...    each rank sends BYTES to the ranks STRIDE above and below it, that are there
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int there_or_nobody(int rank, int size)
{
    return 0 <= rank && rank < size ? rank : MPI_PROC_NULL;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_rank(copy, &rank);
    MPI_Comm_size(copy, &size);
    for (int i = 1; i < argc; ++i) {
        int stride = 0, bytes = 0;
        char *out, *in;

        if (2 != sscanf(argv[i], "%d:%d", &stride, &bytes) || 0 > bytes) {
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        out = calloc(1, (size_t) bytes + 1);
        in = calloc(1, (size_t) bytes + 1);
        for (int sign = -1; sign <= 1; sign += 2) {
            MPI_Sendrecv(out, bytes, MPI_BYTE, there_or_nobody(rank + sign * stride, size), 0, in, bytes, MPI_BYTE,
                         there_or_nobody(rank - sign * stride, size), 0, copy, MPI_STATUS_IGNORE);
        }
        free(out);
        free(in);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
