/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI_Allreduce of elements without data, whose type is a duplicate:
 *
 *     mpicc 70-duplicate-of-nothing.c && mpirun -np 2 --oversubscribe ./a.out
 *
 * Wanted: it ends, as it does with `nothing` itself. Open MPI 4.1.4: a segmentation fault.
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
    char from[100], to[100];
    MPI_Datatype nothing, copy;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Type_dup(nothing, &copy);
    MPI_Op_create(merge_nothing, 1, &op);
    MPI_Allreduce(from, to, 5, copy, op, MPI_COMM_WORLD);
    return MPI_Finalize();
}
