/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI's standard ABI: guided, unguided and wrong splits, and the resource types, with its own handles.
 */
#include <mpi.h>
#include <stdio.h>

static int num_calls;
static MPI_Comm comm_of_error;

static void count_call(MPI_Comm *comm, int *code, ...)
{
    (void) code;
    ++num_calls;
    comm_of_error = *comm;
}

int main(int argc, char **argv)
{
    MPI_Comm comm, guided, unguided, unknown = MPI_COMM_SELF;
    MPI_Errhandler handler;
    MPI_Info info;
    char type[64] = "";
    int rank, guided_size = 0, unguided_size = 0, num_keys = 0, flag = 0, length = sizeof(type), error = MPI_SUCCESS;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "hwloc://Package");
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, rank, info, &guided);
    MPI_Comm_size(guided, &guided_size);
    MPI_Info_free(&info);

    MPI_Info_create(&info);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, rank, info, &unguided);
    MPI_Comm_size(unguided, &unguided_size);
    MPI_Info_get_string(info, "mpi_hw_resource_type", &length, type, &flag);
    MPI_Info_free(&info);

    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Error_class(MPI_Comm_split_type(comm, 12345, rank, MPI_INFO_NULL, &unknown), &error);

    MPI_Get_hw_resource_info(&info);
    MPI_Info_get_nkeys(info, &num_keys);
    MPI_Info_free(&info);
    printf("guided hwloc://Package: %d; unguided: %d, %s; unknown type: %s, %d call of the handler; keys %d\n",
           guided_size, unguided_size, flag ? type : "no type", MPI_ERR_ARG == error ? "MPI_ERR_ARG" : "another error",
           comm_of_error == comm ? num_calls : -1, 8 < num_keys);

    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&unguided);
    MPI_Comm_free(&guided);
    MPI_Comm_free(&comm);
    return MPI_Finalize();
}
