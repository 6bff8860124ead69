/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_bad_input.sh: programs that end or go wrong in some way.
 *
 *     profile_misused fine|handles|twice|abort|quit|job
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mpi/registry/weak_registry.h"

static void use_bad_handles(void)
{
    MPI_Comm comm, stale;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    stale = comm;
    MPIX_Comm_register(comm, "freed");
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    printf("refused %d\n",
           MPI_ERR_COMM == MPIX_Comm_register(MPI_COMM_NULL, "null") && MPI_ERR_COMM == MPIX_Comm_register(NULL, "")
               && MPI_ERR_COMM == MPIX_Comm_register(stale, "stale") && MPI_ERR_COMM == MPIX_Comm_unregister(stale));
    /* Calls that MPI refuses, on handles that it refuses. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    printf("failed %d\n",
           MPI_SUCCESS != MPI_Barrier(MPI_COMM_NULL) && MPI_SUCCESS != MPI_Send(NULL, 1, MPI_INT, 0, 0, NULL)
               && MPI_SUCCESS != MPI_Send(NULL, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD)
               && MPI_SUCCESS != MPI_Send(&comm, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD)
               && MPI_SUCCESS != MPI_Send(&comm, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)
               && MPI_SUCCESS != MPI_Bcast(&comm, 1, MPI_INT, 1000, MPI_COMM_WORLD)
               && MPI_SUCCESS != MPI_Send(&comm, 1, NULL, 0, 0, MPI_COMM_WORLD) && MPI_SUCCESS != MPI_Start(NULL)
               && MPI_SUCCESS != MPI_Startall(1, NULL) && MPI_SUCCESS != MPI_Request_free(NULL)
               && MPI_SUCCESS != MPI_Alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, MPI_COMM_WORLD)
               && MPI_SUCCESS != MPI_Win_fence(0, MPI_WIN_NULL));
}

int main(int argc, char **argv)
{
    const char *what = 1 < argc ? argv[1] : "fine";
    int rank;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (0 == strcmp(what, "handles")) {
        use_bad_handles();
    } else if (0 == strcmp(what, "twice")) {
        MPI_Init(NULL, NULL);
    } else if (0 == strcmp(what, "abort") && 1 == rank) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    } else if (0 == strcmp(what, "quit") && 1 == rank) {
        exit(0);
    } else if (0 == strcmp(what, "job") && 0 == rank) {
        printf("job %s\n", getenv("PMIX_NAMESPACE"));
    }
    MPI_Finalize();
    return 0;
}
