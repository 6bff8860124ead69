/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 59-ucx-bottom.c -o bottom; mpirun -np 2 --mca pml ucx -x UCX_TLS=tcp,self,sm ./bottom
 * "Segmentation fault .. (nil)": pml/ucx sends from where the element begins, not from where its data is.
 */
#include <mpi.h>
#include <stdio.h>

#define COUNT 1500

int main(int argc, char **argv)
{
    static int numbers[COUNT], length = 1, rank;
    MPI_Datatype there, type;
    MPI_Aint address;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(numbers, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &there);
    MPI_Type_create_resized(there, 0, sizeof(int), &type);
    MPI_Type_commit(&type);
    if (0 == rank) {
        MPI_Send(MPI_BOTTOM, COUNT, type, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(numbers, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts("received");
    }
    return MPI_Finalize();
}
