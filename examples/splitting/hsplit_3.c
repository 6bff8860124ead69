/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HSplit's example of section 3: which of the sockets' communicators is mine?
 */
#include "check_table.h"

/* The number is that of the sockets, by the lowest rank of each; the table counts them too. */
static void check_domain(int num, int domain_rank)
{
    int32_t **addrs = ompi_hitopo_get_addrs((struct ompi_communicator_t *) MPI_COMM_WORLD);
    int rank, size, num_sockets = 0, my_socket = -1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size && NULL != addrs; ++i) {
        int lowest = 0;
        while (lowest < i && !is_shared(addrs[lowest], addrs[i], HITOPO_LEVEL_SOCKET)) {
            ++lowest;
        }
        if (lowest == i && UNKNOWN != addrs[i][HITOPO_LEVEL_SOCKET]) {
            if (is_shared(addrs[i], addrs[rank], HITOPO_LEVEL_SOCKET)) {
                my_socket = num_sockets;
            }
            ++num_sockets;
        }
    }
    if (num_sockets != num || my_socket != domain_rank) {
        wrong(rank, "is not in the socket counted from the table for", HITOPO_LEVEL_SOCKET, rank);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Comm out_comm;
    MPI_Info info;
    int rank, scomm_num,scomm_rank;
    char *resource_type = NULL;

    MPI_Info_create(&info);
    MPI_Info_set(info,"MPI_HW_DOMAIN_TYPE","Socket");
    MPI_Comm_rank(MPI_COMM_WORLD,&rank);
    MPIX_Comm_split_type(MPI_COMM_WORLD,MPI_COMM_TYPE_HW_DOMAIN,rank,info,&out_comm);

    /* check info about subcomm */
    if (out_comm != MPI_COMM_NULL){
        MPIX_Get_hw_domain_info(out_comm,&scomm_num,&scomm_rank,&resource_type,info);
        fprintf(stdout,"=== Number of subcomms : %i\n",scomm_num);
        fprintf(stdout,"=== Subcomm rank : %i\n",scomm_rank);
        fprintf(stdout,"=== Subcomm type : %s\n",resource_type);
    } else {
        fprintf(stdout,"No level found\n");
    }

    check_guided(out_comm, "hwloc://Package");
    if (MPI_COMM_NULL != out_comm) {
        check_domain(scomm_num, scomm_rank);
        MPI_Comm_free(&out_comm);
    }
    MPI_Info_free(&info);
    return finish();
}
