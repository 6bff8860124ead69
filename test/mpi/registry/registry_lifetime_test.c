/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registrations live as long as their communicators: 10 000 are made and freed, some are never freed, and the
 * resident memory of the second half is flat.
 */
/* ranks: 1 2 */
#include "test/mpi/checks.h"
#include "ompi/communicator/registry/comm_registry.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "test/mpi/table/resident.h"

#define NUM_LEAKED 10
#define NAME_BYTES 400 /* 5000 leaked names would be 2 MB */

static char name[NAME_BYTES];
static int num_freed = 0;

static void freed(ompi_hitopo_registration_t *registration)
{
    num_freed += NULL != registration;
}

static void make_and_free(int i)
{
    MPI_Comm comm;

    (void) i;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(0 == MPIX_Comm_is_registered(comm));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, name));
    CHECK(1 == MPIX_Comm_is_registered(comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    ompi_hitopo_registry_observe(freed);
    const int num_comms = make_and_free_many(make_and_free);
    CHECK(num_comms == num_freed);
    for (int i = 0; i < NUM_LEAKED; ++i) {
        MPI_Comm leaked;
        MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
        CHECK(MPI_SUCCESS == MPIX_Comm_register(leaked, name));
    }
    return finish();
}
