/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI standard's Example 9.1: splitting MPI_COMM_WORLD into NUMANode subcommunicators, by processes that
 * first ask whether they are restricted to one.
 */
#include "check_table.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Info hw_info;
    MPI_Comm hw_comm;
    int      nb_keys = 0, flag = 0;
    int      is_found = 0, is_restricted = 0;
    int      valuelen = 6; // max length between "false" and "true" + 1
    char     *value = calloc(valuelen, sizeof(char));
    char     *hw_type = calloc((MPI_MAX_INFO_KEY+1), sizeof(char));

    MPI_Get_hw_resource_info(&hw_info);

    MPI_Info_get_nkeys(hw_info, &nb_keys);
    for(int index = 0 ; index < nb_keys ; index++){
        MPI_Info_get_nthkey(hw_info, index, hw_type);
        MPI_Info_get_string(hw_info, hw_type, &valuelen, value, &flag);
        if(strcmp(hw_type, "hwloc://NUMANode") == 0){
            is_found = 1;
            if(strcmp(value, "true") == 0)
                is_restricted = 1;
            break; // Resource of type NUMANode found
        }
    }

    // The calling MPI process is restricted to a resource
    // of the chosen type (NUMANode)
    if(is_found && is_restricted){
        MPI_Info split_info;
        int rank;

        MPI_Info_create(&split_info);

        // hw_type now serves as value for the "mpi_hw_resource_type" key
        MPI_Info_set(split_info, "mpi_hw_resource_type", hw_type);

        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED,
                            rank, split_info, &hw_comm);

        // Check and use hw_comm from this point if it's a valid communicator
        // or different from MPI_COMM_SELF or MPI_COMM_WORLD.
        MPI_Info_free(&split_info);
    } else {
        // If resource is not found or not restricted to it,
        // the calling MPI process does not participate to the call
        // hence the use of MPI_UNDEFINED as split_type and
        // MPI_COMM_NULL is produced as output communicator

        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED,
                            -1, MPI_INFO_NULL, &hw_comm);
    }

    check_guided(hw_comm, "hwloc://NUMANode");
    free(value);
    free(hw_type);
    MPI_Info_free(&hw_info);
    if (MPI_COMM_NULL != hw_comm) {
        MPI_Comm_free(&hw_comm);
    }
    return finish();
}
