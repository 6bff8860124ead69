/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HSplit's example of the undirected mode: the hierarchy of the hardware, step by step.
 */
#include "check_table.h"

#define NLEVELS 16

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Comm newcomm[NLEVELS];
    MPI_Comm oldcomm = MPI_COMM_WORLD;
    int rank, idx = 0;
    while((oldcomm != MPI_COMM_NULL) && (idx < NLEVELS))
    {
        MPI_Comm_rank(oldcomm,&rank);
        MPI_Comm_split_type(oldcomm,
                            MPI_COMM_TYPE_HW_DOMAIN,
                            rank,
                            MPI_INFO_NULL,
                            &newcomm[idx]);
        oldcomm = newcomm[idx++];
    }

    check_steps(newcomm, idx);
    return finish();
}
