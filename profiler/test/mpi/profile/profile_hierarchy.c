/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: the communicators of HiTopo's own splits.
 */
#include "profiler/test/mpi/profile/profile_program.h"

#define MAX_STEPS 8

#pragma weak MPIX_Comm_split_roots
#pragma weak MPIX_Comm_split_hierarchy
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);

static void use(MPI_Comm comm)
{
    if (MPI_COMM_NULL != comm) {
        MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_INT, MPI_MIN, comm);
    }
}

static void use_hierarchy(MPI_Comm comm)
{
    MPI_Comm steps[MAX_STEPS], roots[MAX_STEPS];
    const char *types[MAX_STEPS];
    int num_steps;

    MPIX_Comm_split_hierarchy(comm, MAX_STEPS, steps, roots, types, &num_steps);
    for (int i = 0; i < MAX_STEPS; ++i) {
        use(steps[i]);
        use(roots[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm, roots;

    begin(&argc, &argv);
    MPIX_Comm_split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm, &roots);
    use(comm);
    use(roots);
    use_hierarchy(MPI_COMM_WORLD);
    use_hierarchy(comm);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
