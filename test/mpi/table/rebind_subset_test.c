/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators without their node's local rank 0, which asks for the node in MPI_COMM_WORLD's exchange: the
 * inside of the node is known in them too, when they exchange anew after a rebind, and at their first exchange.
 */
/* ranks: 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

/* All but rank 0; MPI_COMM_NULL there. */
static MPI_Comm all_but_first(MPI_Comm comm)
{
    MPI_Comm others;

    MPI_Comm_split(comm, 0 == rank_of(comm) ? MPI_UNDEFINED : 0, 0, &others);
    return others;
}

static void after_a_rebind(const cpu_set_t *allowed)
{
    MPI_Comm others = all_but_first(MPI_COMM_WORLD);
    const cpu_set_t first = first_of(allowed);

    if (MPI_COMM_NULL != others) {
        CHECK(size_of(others) == size_of_split(others, "Machine"));
        CHECK(CPU_COUNT(allowed) < 2 || 0 == size_of_split(others, "PU"));
        bind_all_threads(&first); /* all to one CPU */
        CHECK(size_of(others) == size_of_split(others, "PU"));
        CHECK(size_of(others) == size_of_split(others, "Core"));
        CHECK(size_of(others) == size_of_split(others, "Package"));
        CHECK(size_of(others) == size_of_split(others, "Machine"));
        bind_all_threads(allowed);
        MPI_Comm_free(&others);
    }
}

/* The last of the parents and the last of the spawned ones: no local rank 0 of either job. */
static void across_jobs(MPI_Comm merged, int is_last)
{
    MPI_Comm pair;

    MPI_Comm_split(merged, is_last ? 0 : MPI_UNDEFINED, 0, &pair);
    if (MPI_COMM_NULL != pair) {
        CHECK(2 == size_of_split(pair, "Machine"));
        CHECK(2 == size_of_split(pair, "hitopo://Node"));
        MPI_Comm_free(&pair);
    }
}

static void with_spawned(const char *program)
{
    char *arguments[] = {"spawned", NULL};
    MPI_Comm between, merged;

    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(between, 0, &merged);
    across_jobs(merged, rank_of(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

static int spawned(void)
{
    MPI_Comm parent, merged;

    MPI_Comm_get_parent(&parent);
    MPI_Intercomm_merge(parent, 1, &merged);
    across_jobs(merged, rank_of(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&parent);
    return finish();
}

int main(int argc, char **argv)
{
    cpu_set_t allowed;

    MPI_Init(&argc, &argv);
    if (argc > 1) {
        return spawned();
    }
    sched_getaffinity(0, sizeof(allowed), &allowed);
    after_a_rebind(&allowed);
    with_spawned(argv[0]);
    return finish();
}
