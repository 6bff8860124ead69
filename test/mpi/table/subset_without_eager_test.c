/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Without the exchange at MPI_Init's end, the first one may be that of a communicator without the node's local
 * rank 0, by ompi_hitopo_load; later ones lack it or have it.
 */
/* ranks: 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname --mca hitopo_base_eager 0 */
#include "test/mpi/checks.h"

/* One machine: the node and what contains all of it is known; comm's own table. */
static void check_loaded(MPI_Comm comm)
{
    CHECK(0 == ompi_hitopo_load(inner(comm)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(comm));
    CHECK(NULL != rows && is_dense(rows, size_of(comm)) && is_same_everywhere(comm, rows, size_of(comm)));
    CHECK(ompi_hitopo_get_known_levels(inner(comm)) & (1u << HITOPO_LEVEL_L2NUMA));
}

int main(int argc, char **argv)
{
    MPI_Comm others;

    MPI_Init(&argc, &argv);
    CHECK(NULL == ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD)));
    MPI_Comm_split(MPI_COMM_WORLD, 0 == rank_of(MPI_COMM_WORLD) ? MPI_UNDEFINED : 0, 0, &others);
    if (MPI_COMM_NULL != others) {
        check_loaded(others);
        MPI_Comm_free(&others);
    }
    check_loaded(MPI_COMM_WORLD);
    return finish();
}
