/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For registry.sh, and not linked with HiTopo: registers MPI_COMM_SELF again and again if HiTopo is preloaded.
 * Each process prints whether MPI_COMM_WORLD was registered, and MPI_COMM_SELF is.
 *
 *     registered NUM-TIMES
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma weak Comm_register
#pragma weak Comm_unregister
#pragma weak Comm_is_registered
int Comm_register(MPI_Comm comm, char *name);
int Comm_unregister(MPI_Comm comm);
int Comm_is_registered(MPI_Comm comm);

int main(int argc, char **argv)
{
    const int num_times = argc > 1 ? atoi(argv[1]) : 0;
    char name[] = "self";

    MPI_Init(&argc, &argv);
    if (NULL == Comm_register) {
        printf("there is no Comm_register\n");
    } else {
        const int has_world = Comm_is_registered(MPI_COMM_WORLD);
        for (int i = 0; i < num_times; ++i) {
            if (MPI_SUCCESS != Comm_register(MPI_COMM_SELF, name)
                || (i + 1 < num_times && MPI_SUCCESS != Comm_unregister(MPI_COMM_SELF))) {
                printf("not registered\n");
            }
        }
        printf("world %d self %d\n", has_world, Comm_is_registered(MPI_COMM_SELF));
    }
    MPI_Finalize();
    return 0;
}
