/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_registry.sh: how many pairs of processes are compared for the profiler. MPI_Group_translate_ranks looks
 * for each rank from the other group's begin on. Rank 0 prints lines
 *
 *     COUNT after WHAT
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static long num_compared;
static int rank;

/* The profiler's calls come here: the program stands before the libraries. */
int PMPI_Group_translate_ranks(MPI_Group group, int count, const int ranks[], MPI_Group other, int found[])
{
    int (*next)(MPI_Group, int, const int[], MPI_Group, int[]) = dlsym(RTLD_NEXT, "PMPI_Group_translate_ranks");
    int rc = next(group, count, ranks, other, found), size;

    PMPI_Group_size(other, &size);
    for (int i = 0; i < count; ++i) {
        num_compared += MPI_UNDEFINED == found[i] ? size : found[i] + 1;
    }
    return rc;
}

static void tell(const char *what)
{
    if (0 == rank) {
        printf("%ld after %s\n", num_compared, what);
    }
    num_compared = 0;
}

int main(int argc, char **argv)
{
    MPI_Comm copy, backwards, sum;
    MPI_Group group;
    int in = 1, out;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tell("MPI_Init");
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    tell("MPI_Comm_dup");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    tell("MPI_Comm_split");
    MPI_Comm_group(backwards, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &sum);
    tell("MPI_Comm_create_group");
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    tell("MPI_Allreduce");
    MPI_Group_free(&group);
    MPI_Comm_free(&sum);
    MPI_Comm_free(&backwards);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    tell("MPI_Finalize");
    return 0;
}
