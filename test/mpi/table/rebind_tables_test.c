/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Each table has its own binding: that one communicator exchanged anew says nothing of the others. All members go by
 * one table, whenever each of them first asks.
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

static int last_core(MPI_Comm comm)
{
    int32_t address[HITOPO_NUM_LEVELS];

    CHECK(0 == ompi_hitopo_read_addr(comm, size_of(comm) - 1, address));
    return address[HITOPO_LEVEL_CORE];
}

static bool is_one_value(int value)
{
    int mine[] = {value, -value}, greatest[2];

    MPI_Allreduce(mine, greatest, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return greatest[0] == -greatest[1];
}

/* Members of one step, by their barrier, and steps as all count them. */
static int num_steps(MPI_Comm comm)
{
    MPI_Comm newcomms[8], rootscomms[8];
    int num = -1;

    CHECK(MPI_SUCCESS == MPIX_Comm_split_hierarchy(comm, 8, newcomms, rootscomms, NULL, &num));
    for (int i = 0; i < num; ++i) {
        MPI_Barrier(newcomms[i]);
        free_comm(&newcomms[i]);
        free_comm(&rootscomms[i]);
    }
    return num;
}

/* The last process moves to another CPU. Of communicators that were never split before, rank 0 asks before it does, and
 * the others after MPI_COMM_WORLD was exchanged anew. */
static void check_asked_before(const cpu_set_t *allowed)
{
    const bool is_last = size_of(MPI_COMM_WORLD) - 1 == rank_of(MPI_COMM_WORLD);
    const cpu_set_t first = first_of(allowed), second = second_of(allowed);
    const int size = is_last ? 1 : size_of(MPI_COMM_WORLD) - 1;
    MPI_Comm duplicates[3];

    bind_all_threads(&first);
    CHECK(size_of(MPI_COMM_WORLD) == size_by_pu(MPI_COMM_WORLD));
    int32_t **rows = ompi_hitopo_get_addrs(MPI_COMM_WORLD);
    const int before = rows[0][HITOPO_LEVEL_NODE];
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &duplicates[i]);
        if (0 == rank_of(MPI_COMM_WORLD)) {
            (void) last_core(duplicates[i]);
        }
    }
    if (is_last) {
        bind_all_threads(&second);
    }
    CHECK(size == size_by_pu(MPI_COMM_WORLD));
    CHECK(before == rows[0][HITOPO_LEVEL_NODE]); /* it stays until ompi_hitopo_load */
    CHECK(is_one_value(last_core(duplicates[0])));
    CHECK(size == size_by_pu(duplicates[0]));
    CHECK(is_one_value(num_steps(duplicates[1])));
    CHECK(0 == ompi_hitopo_load(duplicates[2]));
    for (int i = 0; i < 3; ++i) {
        CHECK(last_core(MPI_COMM_WORLD) == last_core(duplicates[i]));
        MPI_Comm_free(&duplicates[i]);
    }
    CHECK(0 == ompi_hitopo_load(MPI_COMM_WORLD));
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
    check_asked_before(&allowed);
    MPI_Comm_free(&half);
    MPI_Comm_free(&duplicate);
    return finish();
}
