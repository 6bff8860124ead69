/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Each table has its own binding: that one communicator exchanged anew says nothing of the others.
 */
/* ranks: 2 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

/* By hardware thread: the size of mine, 0 for MPI_COMM_NULL. */
static int size_by_pu(MPI_Comm comm)
{
    MPI_Comm newcomm = split_guided(comm, "PU");
    const int size = MPI_COMM_NULL == newcomm ? 0 : size_of(newcomm);

    free_comm(&newcomm);
    return size;
}

/* All are bound to the first CPU; those tables that know better are split before the others. */
static void check_after(const cpu_set_t *allowed, MPI_Comm before, MPI_Comm after)
{
    const cpu_set_t first = first_of(allowed);

    bind_all_threads(allowed);
    CHECK(0 == size_by_pu(before));
    CHECK(0 == size_by_pu(after));
    bind_all_threads(&first);
    CHECK(size_of(before) == size_by_pu(before));
    CHECK(size_of(after) == size_by_pu(after));
}

int main(int argc, char **argv)
{
    cpu_set_t allowed;
    MPI_Comm half, duplicate;

    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    if (CPU_COUNT(&allowed) < 2) {
        fprintf(stderr, "SKIPPED: one CPU only, no binding can change\n");
        return finish();
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    check_after(&allowed, MPI_COMM_SELF, MPI_COMM_WORLD);
    check_after(&allowed, MPI_COMM_WORLD, MPI_COMM_SELF);
    check_after(&allowed, MPI_COMM_WORLD, duplicate);
    check_after(&allowed, duplicate, MPI_COMM_WORLD);
    check_after(&allowed, half, MPI_COMM_WORLD);
    check_after(&allowed, MPI_COMM_WORLD, half);

    /* One process moves while another communicator of it exchanges. */
    bind_all_threads(&allowed);
    CHECK(0 == size_by_pu(MPI_COMM_WORLD));
    if (0 == rank_of(MPI_COMM_WORLD)) {
        const cpu_set_t first = first_of(&allowed);
        bind_all_threads(&first);
        CHECK(1 == size_by_pu(MPI_COMM_SELF));
    }
    CHECK((0 == rank_of(MPI_COMM_WORLD) ? 1 : 0) == size_by_pu(MPI_COMM_WORLD));
    CHECK((0 == rank_of(MPI_COMM_WORLD) ? 1 : 0) == size_by_pu(duplicate));
    MPI_Comm_free(&half);
    MPI_Comm_free(&duplicate);
    return finish();
}
