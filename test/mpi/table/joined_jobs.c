/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that knows nothing of HiTopo. joined_jobs spawn CHILD: starts two processes CHILD, which is this program
 * itself or starts it, and splits the communicator of all by shared memory; each process prints how many have it in
 * common. joined_jobs nest COMMAND: rank 0 has COMMAND run while the others wait. joined_jobs: as a child, or alone.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum_of_ones(MPI_Comm comm)
{
    int one = 1, sum = 0;

    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

static void join(MPI_Comm between, int is_child)
{
    MPI_Comm merged, shared;

    MPI_Intercomm_merge(between, is_child, &merged);
    MPI_Comm_split_type(merged, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    printf("joined: %d of %d\n", sum_of_ones(shared), sum_of_ones(merged));
    fflush(stdout);
    MPI_Comm_free(&shared);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_COMM_NULL != parent) {
        join(parent, 1);
    } else if (argc > 2 && 0 == strcmp(argv[1], "spawn")) {
        MPI_Comm_spawn(argv[2], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        join(children, 0);
    } else if (argc > 2 && 0 == rank) {
        printf("nested: status %d\n", system(argv[2]));
    }
    if (0 == rank) {
        printf("%s: %d processes\n", MPI_COMM_NULL == parent ? "over" : "children over", sum_of_ones(MPI_COMM_WORLD));
    } else {
        (void) sum_of_ones(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
