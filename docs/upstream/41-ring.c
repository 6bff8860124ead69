/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc -g 41-ring.c -o ring; mpirun -np 4 --oversubscribe valgrind ./ring
 * "Invalid write" behind a block of ompi_coll_base_allreduce_intra_ring: it takes no account of true_lb.
 */
#include <mpi.h>
#include <stdlib.h>

#define COUNT 100000

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *count; ++i) {
        ((int *) inout)[4 * i + 2] += ((int *) in)[4 * i + 2];
    }
}

int main(int argc, char **argv)
{
    int *from = calloc(COUNT, 16), *to = calloc(COUNT, 16), where = 2;
    MPI_Datatype third, type;
    MPI_Op op;

    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    setenv("OMPI_MCA_coll_tuned_allreduce_algorithm", "4", 1); /* the ring, whatever the length */
    MPI_Init(&argc, &argv);
    MPI_Type_create_indexed_block(1, 1, &where, MPI_INT, &third); /* an int that begins at 8 of 16 bytes */
    MPI_Type_create_resized(third, 0, 16, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(from, to, COUNT, type, op, MPI_COMM_WORLD);
    return MPI_Finalize();
}
