/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A binding that changes after MPI_Init: the table stands until ompi_hitopo_load, which all members
 * notice though only one of them moved.
 */
/* ranks: 2 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"

int main(int argc, char **argv)
{
    cpu_set_t allowed;

    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    int32_t *row = ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), 0);
    CHECK(NULL != row && row[HITOPO_LEVEL_CORE] == 0);
    CHECK(0 == ompi_hitopo_load(inner(MPI_COMM_WORLD)));
    CHECK(ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), 0) == row); /* nothing changed, nothing made */

    if (CPU_COUNT(&allowed) < 2) {
        fprintf(stderr, "SKIPPED: one CPU only, no binding can change\n");
        return finish();
    }
    if (0 == rank_of(MPI_COMM_WORLD)) {
        const cpu_set_t first = first_of(&allowed);
        bind_all_threads(&first);
    }
    CHECK(0 == ompi_hitopo_load(inner(MPI_COMM_WORLD)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD));
    CHECK(NULL != rows && rows[0][HITOPO_LEVEL_CORE] == 0);
    for (int i = 1; NULL != rows && i < size_of(MPI_COMM_WORLD); ++i) {
        CHECK(rows[i][HITOPO_LEVEL_CORE] == -1); /* rank 0 knows its core, the others none */
    }
    return finish();
}
