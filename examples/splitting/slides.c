/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The loop of the slides that the MPI Forum saw in March 2017: split until the bottom of the hierarchy.
 */
#include <assert.h>

#include "check_table.h"

#define NLEVELS 16

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Comm in_comm;
    int idx;

    int in_rank;
    MPI_Comm out_comm[NLEVELS];
    in_comm = MPI_COMM_WORLD;
    idx = 0;
    while(in_comm != MPI_COMM_NULL){
        MPI_Comm_rank(in_comm,&in_rank);
        MPI_Comm_split_type(in_comm,
                            MPI_COMM_TYPE_PHYSICAL_TOPOLOGY,
                            in_rank,MPI_INFO_NULL,
                            &out_comm[idx]);
        in_comm = out_comm[idx];
        assert(++idx < NLEVELS);
    }

    check_steps(out_comm, idx);
    return finish();
}
