/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A persistent collective names a datatype that is freed before it is started:
 *
 *     mpicc 63-persistent-types.c && mpirun -np 2 valgrind -q ./a.out
 *
 * Wanted: nothing. Open MPI 4.1.4: "Invalid read" of the datatype in MPI_Start.
 */
#include <mpi.h>

#include <mpi-ext.h>

int main(int argc, char **argv)
{
    int buffer[30] = {0};
    MPI_Datatype type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(10, 1, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPIX_Bcast_init(buffer, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Type_free(&type);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
