/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HSplit's example of the directed mode: by the name of a resource type, and by its place in the hierarchy.
 */
#include "check_table.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Comm out_comm;
    MPI_Comm oldcomm = MPI_COMM_WORLD;
    MPI_Info info;
    int rank, idx, flag, numlevels;
    char str[MPI_MAX_INFO_VAL-1];
    char str2[MPI_MAX_INFO_VAL-1];

    MPI_Comm_rank(oldcomm,&rank);
    MPI_Info_create(&info);

    MPIX_Get_hw_topology_info(&numlevels,info);
    fprintf(stdout,"Number of levels available: %i\n",numlevels);

    /* could be retrieved with MPI_Info_get_nthkey instead */
    for(idx = 0 ; idx < numlevels; idx++){
        sprintf(str,"MPI_HW_LEVEL%d",idx);
        MPI_Info_get(info,str,MPI_MAX_INFO_VAL-1,str2,&flag);
        if (flag)
            fprintf(stdout,"%s type is %s\n",str,str2);
    }

    /* Let us suppose that Socket is an available level */
    MPI_Info_set(info,"MPI_HW_DOMAIN_TYPE","Socket");
    MPIX_Comm_split_type(oldcomm,MPI_COMM_TYPE_HW_DOMAIN,rank,info,&out_comm);

    check_guided(out_comm, "hwloc://Package");
    if (MPI_COMM_NULL != out_comm) {
        MPI_Comm_free(&out_comm);
    }

    /* Or split at level 2 in the hierarchy */
    MPI_Info_get(info,"MPI_HW_LEVEL2",MPI_MAX_INFO_VAL-1,str2,&flag);
    if(flag){
        MPI_Info_set(info,"MPI_HW_DOMAIN_TYPE",str2);
        MPIX_Comm_split_type(oldcomm,MPI_COMM_TYPE_HW_DOMAIN,rank,info,&out_comm);

        check_guided(out_comm, str2);
        if (MPI_COMM_NULL != out_comm) {
            MPI_Comm_free(&out_comm);
        }
    }
    MPI_Info_free(&info);
    return finish();
}
