/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawned processes are not in MPI_COMM_WORLD: communicators with them have a table after
 * ompi_hitopo_load and none before.
 */
/* ranks: 1 2 */
#include "test/mpi/checks.h"

#define NUM_CHILDREN 2

static void check_loaded(MPI_Comm comm, int num_rows)
{
    int32_t addr[HITOPO_NUM_LEVELS];
    CHECK(NULL == ompi_hitopo_get_addrs(inner(comm)));
    CHECK(-16 == ompi_hitopo_read_addr(inner(comm), 0, addr)); /* OMPI_ERR_NOT_AVAILABLE */
    CHECK(0 == ompi_hitopo_load(inner(comm)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(comm));
    CHECK(NULL != rows && is_dense(rows, num_rows));
    for (int i = 0; NULL != rows && i < num_rows; ++i) {
        CHECK(rows[i][HITOPO_LEVEL_NODE] == 0); /* one machine, two jobs */
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent, between, merged;
    int num_remote;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    const int is_child = MPI_COMM_NULL != parent;
    if (is_child) {
        between = parent;
    } else {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, NUM_CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Comm_remote_size(between, &num_remote);
    check_loaded(between, size_of(MPI_COMM_WORLD) + num_remote);
    MPI_Intercomm_merge(between, is_child, &merged);
    check_loaded(merged, size_of(merged));
    CHECK(is_same_everywhere(merged, ompi_hitopo_get_addrs(inner(merged)), size_of(merged)));
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
    return finish();
}
