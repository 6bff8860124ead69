/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables live as long as their communicators: 10 000 are made and freed, some are never freed, and the
 * resident memory of the second half is flat.
 */
/* ranks: 2 4 */
#include "test/mpi/checks.h"
#include "test/mpi/table/resident.h"

#define NUM_LEAKED 10

/* A table is over 100 bytes a process: 5000 leaked ones would be seen.
 * Half of them share the world's group and table, half have their own. */
static void make_and_free(int i)
{
    MPI_Comm comm;

    if (i % 2) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, i, &comm);
    }
    CHECK(NULL != ompi_hitopo_get_addrs(inner(comm)));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    (void) make_and_free_many(make_and_free);

    int num_tables, num_holders;
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(1 == num_tables); /* the world's */
    for (int i = 0; i < NUM_LEAKED; ++i) {
        MPI_Comm leaked;
        MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
        CHECK(NULL != ompi_hitopo_get_addrs(inner(leaked)));
    }
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(num_holders >= NUM_LEAKED);
    return finish();
}
