/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI standard's Example 7.4: splitting MPI_COMM_WORLD into NUMANode subcommunicators.
 */
#include "check_table.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Info info;
    MPI_Comm hwcomm;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "hwloc://NUMANode");
    MPI_Comm_split_type(MPI_COMM_WORLD,
                        MPI_COMM_TYPE_RESOURCE_GUIDED,
                        rank, info, &hwcomm);

    check_guided(hwcomm, "hwloc://NUMANode");
    MPI_Info_free(&info);
    if (MPI_COMM_NULL != hwcomm) {
        MPI_Comm_free(&hwcomm);
    }
    return finish();
}
