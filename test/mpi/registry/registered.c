/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For registry.sh, and not linked with HiTopo: registers MPI_COMM_SELF again and again if HiTopo is preloaded.
 * Each process prints whether MPI_COMM_WORLD was registered, and MPI_COMM_SELF is; or what became of the
 * communicator of each of two MPI sessions.
 *
 *     registered NUM-TIMES|sessions
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mpi/registry/weak_registry.h"

#if MPI_VERSION < 4 && OMPI_MAJOR_VERSION < 5

static void use_session(void)
{
    printf("no MPI sessions\n");
}

#else

static void use_session(void)
{
    char name[] = "session";
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, stale;

    printf("outside %d", MPIX_Comm_register(MPI_COMM_WORLD, name) == MPI_ERR_OTHER);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "registered", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    stale = comm;
    printf(" before %d", MPIX_Comm_is_registered(comm));
    MPIX_Comm_register(comm, name);
    printf(" after %d", MPIX_Comm_is_registered(comm));
    MPI_Comm_free(&comm);
    printf(" freed %d\n", MPIX_Comm_is_registered(stale));
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

#endif

static void use_world(int num_times)
{
    char name[] = "self";

    MPI_Init(NULL, NULL);
    const int has_world = MPIX_Comm_is_registered(MPI_COMM_WORLD);
    for (int i = 0; i < num_times; ++i) {
        if (MPI_SUCCESS != MPIX_Comm_register(MPI_COMM_SELF, name)
            || (i + 1 < num_times && MPI_SUCCESS != MPIX_Comm_unregister(MPI_COMM_SELF))) {
            printf("not registered\n");
        }
    }
    printf("world %d self %d\n", has_world, MPIX_Comm_is_registered(MPI_COMM_SELF));
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "0";

    if (NULL == MPIX_Comm_register) {
        printf("there is no MPIX_Comm_register\n");
    } else if (0 == strcmp(what, "sessions")) {
        use_session();
        use_session();
    } else {
        use_world(atoi(what));
    }
    return 0;
}
