/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 05-leaked-attributes.c -o leaked; mpirun -np 1 ./leaked
 * Prints "deleted: world" alone: no delete function is called for a communicator that was not freed.
 */
#include <mpi.h>
#include <stdio.h>

static int deleted(MPI_Comm comm, int key, void *name, void *extra)
{
    (void) comm, (void) key, (void) extra;
    printf("deleted: %s\n", (char *) name);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Comm leaked;
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, "world");
    MPI_Comm_set_attr(leaked, key, "leaked");
    return MPI_Finalize();
}
