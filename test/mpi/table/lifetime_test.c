/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables live as long as their communicators: 10 000 are made and freed, some are never freed, and the
 * resident memory of the second half is flat.
 */
/* ranks: 2 4 */
#include "test/mpi/checks.h"
#include "test/mpi/table/resident.h"

#define NUM_COMMS 10000
#define NUM_LEAKED 10
#define MAX_GROWTH_KIB 512 /* a table is over 100 bytes a process: 5000 leaked ones would be far more */

/* Half of them share the world's group and table, half have their own. */
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
    const char *count = getenv("HITOPO_TEST_NUM_COMMS"); /* fewer under valgrind */
    const int num_comms = NULL == count ? NUM_COMMS : atoi(count);
    long halfway = 0;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < num_comms; ++i) {
        make_and_free(i);
        if (i == num_comms / 2) {
            halfway = resident_kib();
        }
    }
    const long growth = resident_kib() - halfway;
    if (NULL == count && growth > MAX_GROWTH_KIB) {
        fprintf(stderr, "resident memory grew by %ld KiB in the second half\n", growth);
    }
    CHECK(NULL != count || growth <= MAX_GROWTH_KIB);

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
