/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI standard's Example 7.5: recursive splitting of MPI_COMM_WORLD.
 */
#include "check_table.h"

#define MAX_NUM_LEVELS 32

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    MPI_Comm hwcomm[MAX_NUM_LEVELS];
    int      rank, level_num = 0;

    hwcomm[level_num] = MPI_COMM_WORLD;

    while((hwcomm[level_num] != MPI_COMM_NULL)
          && (level_num < MAX_NUM_LEVELS-1)){
        MPI_Comm_rank(hwcomm[level_num], &rank);
        MPI_Comm_split_type(hwcomm[level_num],
                            MPI_COMM_TYPE_HW_UNGUIDED,
                            rank,
                            MPI_INFO_NULL,
                            &hwcomm[level_num+1]);

        level_num++;
    }

    for (int i = 0; i < level_num; ++i) {
        check_unguided(hwcomm[i], hwcomm[i + 1]);
    }
    for (int i = 1; i < level_num; ++i) {
        MPI_Comm_free(&hwcomm[i]);
    }
    return finish();
}
