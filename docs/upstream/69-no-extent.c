/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A nonblocking MPI_Reduce_scatter_block of elements that have no extent:
 *
 *     mpicc 69-no-extent.c && mpirun -np 2 --oversubscribe ./a.out
 *
 * Wanted: it ends. Open MPI 4.1.4: MPI_ERR_SIZE.
 */
#include <mpi.h>

static void merge_nothing(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void) in;
    (void) inout;
    (void) count;
    (void) type;
}

int main(int argc, char **argv)
{
    char from[1], to[1];
    MPI_Datatype nothing;
    MPI_Op op;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Op_create(merge_nothing, 1, &op);
    MPI_Ireduce_scatter_block(from, to, 5, nothing, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
