/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that is bound anew changes its CPUs and nothing else: what a file told stays, though it is gone meanwhile.
 */
/* ranks: 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,file */
#define _GNU_SOURCE
#include <unistd.h>

#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

static char path[] = "/tmp/hitopo-test-XXXXXX";

/* Each process has its own, as no one knows another before MPI_Init. */
static void write_map(void)
{
    static const char map[] = "rank 0-1 island=0 switch=0 node=a\nrank 2-3 island=1 switch=1 node=b\n";
    const int file = mkstemp(path);

    CHECK(file >= 0 && (ssize_t) strlen(map) == write(file, map, strlen(map)) && 0 == close(file));
    setenv("OMPI_MCA_hitopo_file_path", path, 1);
}

static bool is_as_mapped(MPI_Comm comm)
{
    int32_t **rows = ompi_hitopo_get_addrs(comm);
    bool is_it = NULL != rows;

    for (int rank = 0; is_it && rank < 4; ++rank) {
        is_it = rank / 2 == rows[rank][HITOPO_LEVEL_ISLAND] && rank / 2 == rows[rank][HITOPO_LEVEL_SWITCH]
                && rank / 2 == rows[rank][HITOPO_LEVEL_NODE];
    }
    return is_it;
}

int main(int argc, char **argv)
{
    cpu_set_t allowed;
    MPI_Comm duplicate, newcomm;

    write_map();
    MPI_Init(&argc, &argv);
    CHECK(is_as_mapped(MPI_COMM_WORLD));
    CHECK(0 == unlink(path));
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    if (CPU_COUNT(&allowed) < 2) {
        fprintf(stderr, "SKIPPED: one CPU only, no binding can change\n");
        return finish();
    }
    const cpu_set_t first = first_of(&allowed);
    if (1 == rank_of(MPI_COMM_WORLD)) {
        bind_all_threads(&first);
    }
    newcomm = split_guided(MPI_COMM_WORLD, "PU");
    CHECK((MPI_COMM_NULL == newcomm) == (1 != rank_of(MPI_COMM_WORLD))); /* exchanged anew */
    free_comm(&newcomm);
    CHECK(is_as_mapped(MPI_COMM_WORLD));
    CHECK(0 == ompi_hitopo_load(duplicate));
    CHECK(is_as_mapped(duplicate));
    MPI_Comm_free(&duplicate);
    return finish();
}
