/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints what MPI_Get_hw_resource_info says, a line for each key, at rank 0; then a line for each whose
 * guided split does not give a communicator exactly where it is true. With the argument `early`, asks
 * before MPI_Init.
 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

int main(int argc, char **argv)
{
    MPI_Info info;
    int num_keys = 0;

    if (1 < argc && 0 == strcmp(argv[1], "early")) {
        MPI_Get_hw_resource_info(&info);
        MPI_Init(&argc, &argv);
    } else {
        MPI_Init(&argc, &argv);
        MPI_Get_hw_resource_info(&info);
    }
    MPI_Info_get_nkeys(info, &num_keys);
    for (int i = 0; i < num_keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1], value[16];
        int flag;
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, sizeof(value) - 1, value, &flag);
        MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, key);
        if (0 == rank_of(MPI_COMM_WORLD)) {
            printf("%s %s\n", key, value);
        }
        if ((MPI_COMM_NULL != newcomm) != (0 == strcmp(value, "true"))) {
            printf("%s is not what its split does\n", key);
        }
        free_comm(&newcomm);
    }
    MPI_Info_free(&info);
    return finish();
}
