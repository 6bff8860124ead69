/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_failures.sh: one process kills itself; the others go on in what is left, and end. Each of these leaves
 * a file FOLDER/ended.RANK, since mpirun can lose what is printed by a job that fails.
 *
 *     profile_failures FOLDER RANK [return]
 *
 * With `return`, errors come back from calls on MPI_COMM_WORLD, too. Without fault tolerance in Open MPI it prints
 * "no fault tolerance".
 */
#include <mpi.h>
#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OMPI_HAVE_MPI_EXT_FTMPI

static void survive(MPI_Comm comm)
{
    MPI_Comm left;

    MPI_Barrier(comm); /* does not end well everywhere */
    MPIX_Comm_revoke(comm);
    MPIX_Comm_shrink(comm, &left);
    MPI_Comm_set_errhandler(left, MPI_ERRORS_RETURN);
    MPI_Barrier(left);
}

static void tell(const char *folder, int rank)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/ended.%d", folder, rank);
    FILE *file = fopen(path, "w");
    if (NULL != file) {
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (3 < argc) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    if (2 < argc && rank == atoi(argv[2])) {
        raise(SIGKILL);
    }
    survive(comm);
    MPI_Finalize();
    tell(argv[1], rank);
    return 0;
}

#else

int main(void)
{
    puts("no fault tolerance");
    return 0;
}

#endif
