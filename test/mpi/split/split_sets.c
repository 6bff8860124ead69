/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Process sets with MPI sessions alone, as an application that is not linked with HiTopo has them. Prints
 * `launched: SET ..`, the environment variable SET of each rank, and for each argument, a set's name, `NAME: SIZE ..`:
 * the size of each rank's communicator, 0 for none. An argument `@SET` names the set in that variable, `-` none, and
 * NODE the hardware type.
 */
#include <stdlib.h>
#include <string.h>

#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h" /* its user interface only */
#include "test/mpi/split/print_sizes.h"

#if MPI_VERSION < 4 && (!defined(OMPI_MAJOR_VERSION) || OMPI_MAJOR_VERSION < 5)
int main(void)
{
    printf("no MPI sessions\n");
    return 0;
}
#else

static int size_of_split(MPI_Comm comm, const char *name)
{
    const char *own_set = NULL == getenv("SET") ? "-" : getenv("SET");
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm newcomm;
    int size = 0, rank, sum = 0;

    MPI_Comm_rank(comm, &rank);
    name = 0 == strcmp(name, "@SET") ? own_set : name;
    if (0 != strcmp(name, "-")) {
        MPI_Info_create(&info);
        MPI_Info_set(info, 0 == strcmp(name, "NODE") ? "mpi_hw_resource_type" : "mpi_pset_name", name);
    }
    if (MPI_SUCCESS != MPI_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, -rank, info, &newcomm)) {
        return -1;
    }
    if (MPI_COMM_NULL != newcomm) {
        int one = 1, new_rank;
        MPI_Comm_size(newcomm, &size);
        MPI_Comm_rank(newcomm, &new_rank);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, newcomm);
        if (sum != size || (1 == size && 0 != new_rank)) {
            size = -2;
        }
        MPI_Comm_free(&newcomm);
    }
    if (MPI_INFO_NULL != info) {
        MPI_Info_free(&info);
    }
    return size;
}

static void print_launched(MPI_Comm comm)
{
    char mine[16] = "-", all[64][16];
    int rank, size;

    if (NULL != getenv("SET")) {
        snprintf(mine, sizeof(mine), "%s", getenv("SET"));
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Gather(mine, sizeof(mine), MPI_CHAR, all, sizeof(mine), MPI_CHAR, 0, comm);
    if (0 == rank) {
        printf("launched:");
        for (int i = 0; i < size; ++i) {
            printf(" %s", all[i]);
        }
        printf("\n");
    }
}

static void run(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "hitopo.split_sets", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    print_launched(comm);
    for (int i = 1; i < argc; ++i) {
        print_sizes(comm, argv[i], size_of_split(comm, argv[i]));
    }
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
    run(argc, argv);
    run(argc, argv); /* a second session, after the first is gone */
    return 0;
}

#endif
