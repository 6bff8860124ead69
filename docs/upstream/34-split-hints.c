/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 34-split-hints.c -o hints; mpirun -np 2 ./hints
 * Prints "true" with equal keys, and "false" with keys in another order: that split loses its info.
 */
#include <mpi.h>
#include <stdio.h>

static void split(int key)
{
    char value[MPI_MAX_INFO_VAL] = "-";
    MPI_Info hints, kept;
    MPI_Comm newcomm;
    int is_there;

    MPI_Info_create(&hints);
    MPI_Info_set(hints, "mpi_assert_no_any_source", "true");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, key, hints, &newcomm);
    MPI_Comm_get_info(newcomm, &kept);
    MPI_Info_get(kept, "mpi_assert_no_any_source", sizeof(value) - 1, value, &is_there);
    printf("key %d: %s\n", key, value);
    MPI_Info_free(&kept);
    MPI_Info_free(&hints);
    MPI_Comm_free(&newcomm);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    split(0);
    split(-rank);
    return MPI_Finalize();
}
