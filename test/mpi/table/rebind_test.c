/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A binding that changes after MPI_Init, at one process only: all members notice it, in the next split or
 * ompi_hitopo_load. Each table has its own binding: that one communicator exchanged anew says nothing of the others,
 * and all members go by one table, whenever each of them first asks. What one thread is bound to, as OpenMP binds the
 * one that calls, changes nothing.
 */
/* ranks: 2 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

static cpu_set_t allowed, first, second;

/* By hardware thread: the size of mine, 0 for MPI_COMM_NULL. */
static int size_by_pu(MPI_Comm comm)
{
    return size_of_split(comm, "PU");
}

/* ---- tables ---- */

/* The table stands until ompi_hitopo_load. */
static void check_load(void)
{
    int32_t *row = ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), 0);

    CHECK(NULL != row && row[HITOPO_LEVEL_CORE] == 0);
    CHECK(0 == ompi_hitopo_load(inner(MPI_COMM_WORLD)));
    CHECK(ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), 0) == row); /* nothing changed, nothing made */
    if (0 == rank_of(MPI_COMM_WORLD)) {
        bind_all_threads(&first);
    }
    CHECK(0 == ompi_hitopo_load(inner(MPI_COMM_WORLD)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD));
    CHECK(NULL != rows && rows[0][HITOPO_LEVEL_CORE] == 0);
    for (int i = 1; NULL != rows && i < size_of(MPI_COMM_WORLD); ++i) {
        CHECK(rows[i][HITOPO_LEVEL_CORE] == -1); /* rank 0 knows its core, the others none */
    }
    bind_all_threads(&allowed);
}

/* All are bound to the first CPU; those tables that know better are split before the others. */
static void check_after(MPI_Comm before, MPI_Comm after)
{
    bind_all_threads(&allowed);
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
static void check_asked_before(void)
{
    const bool is_last = size_of(MPI_COMM_WORLD) - 1 == rank_of(MPI_COMM_WORLD);
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

static void check_tables(void)
{
    MPI_Comm half, duplicate;

    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    check_after(MPI_COMM_SELF, MPI_COMM_WORLD);
    check_after(MPI_COMM_WORLD, MPI_COMM_SELF);
    check_after(MPI_COMM_WORLD, duplicate);
    check_after(duplicate, MPI_COMM_WORLD);
    check_after(half, MPI_COMM_WORLD);
    check_after(MPI_COMM_WORLD, half);

    /* One process moves while another communicator of it exchanges. */
    bind_all_threads(&allowed);
    CHECK(0 == size_by_pu(MPI_COMM_WORLD));
    if (0 == rank_of(MPI_COMM_WORLD)) {
        bind_all_threads(&first);
        CHECK(1 == size_by_pu(MPI_COMM_SELF));
    }
    CHECK((0 == rank_of(MPI_COMM_WORLD) ? 1 : 0) == size_by_pu(MPI_COMM_WORLD));
    CHECK((0 == rank_of(MPI_COMM_WORLD) ? 1 : 0) == size_by_pu(duplicate));
    MPI_Comm_free(&half);
    MPI_Comm_free(&duplicate);
}

/* ---- threads ---- */

/* Whether it is restricted to a hardware thread, by a split and by the question; size: of the split. */
static void check_pu(int size)
{
    MPI_Info info;

    CHECK(size == size_by_pu(MPI_COMM_WORLD));
    CHECK(MPI_SUCCESS == MPI_Get_hw_resource_info(&info));
    CHECK(has_value(info, "hwloc://PU", 0 < size ? "true" : "false"));
    MPI_Info_free(&info);
}

/* A thread that is bound to the first CPU while all others may run anywhere: the process is restricted to
 * no hardware thread. It calls MPI itself. */
static void *split_bound(void *argument)
{
    CHECK(0 == pthread_setaffinity_np(pthread_self(), sizeof(first), &first));
    check_pu(0);
    return argument;
}

static atomic_bool is_bound, is_over;

static void *wait_on(void *cpus)
{
    CHECK(0 == pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), cpus));
    is_bound = true;
    while (!is_over) {
        usleep(1000);
    }
    return NULL;
}

static pthread_t begin_on(cpu_set_t *cpus)
{
    pthread_t thread;

    is_bound = is_over = false;
    CHECK(0 == pthread_create(&thread, NULL, wait_on, cpus));
    while (!is_bound) {
        usleep(1000);
    }
    return thread;
}

static void end(pthread_t thread)
{
    is_over = true;
    pthread_join(thread, NULL);
}

/* All threads were bound to the first CPU when MPI_COMM_WORLD was split last. */
static void check_thread_elsewhere(void)
{
    pthread_t thread = begin_on(&second);

    check_pu(0);
    end(thread);
    check_pu(size_of(MPI_COMM_WORLD));
    /* One that comes for another one leaves their number as it is. */
    thread = begin_on(&first);
    check_pu(size_of(MPI_COMM_WORLD));
    end(thread);
    thread = begin_on(&second);
    check_pu(0);
    CHECK(0 == pthread_setaffinity_np(thread, sizeof(first), &first));
    check_pu(size_of(MPI_COMM_WORLD));
    end(thread);
}

static void check_threads(void)
{
    const int size = size_of(MPI_COMM_WORLD);
    pthread_t thread;

    bind_all_threads(&allowed);
    check_pu(0);
    CHECK(0 == pthread_create(&thread, NULL, split_bound, NULL));
    pthread_join(thread, NULL);
    CHECK(0 == sched_setaffinity(0, sizeof(first), &first)); /* the main thread alone */
    check_pu(0);
    bind_all_threads(&first); /* the others follow */
    check_pu(size);
    check_thread_elsewhere();
    bind_all_threads(&allowed);
    check_pu(0);
    CHECK(0 == sched_setaffinity(0, sizeof(first), &first));
    check_pu(0);
    CHECK(0 == sched_setaffinity(0, sizeof(allowed), &allowed));
    check_pu(0);

    if (0 == rank_of(MPI_COMM_WORLD)) {
        bind_all_threads(&first);
    }
    check_pu(0 == rank_of(MPI_COMM_WORLD) ? 1 : 0);
    bind_all_threads(&first);
    check_pu(size);
    bind_all_threads(&allowed);
    check_pu(0);
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    if (CPU_COUNT(&allowed) < 2) {
        fprintf(stderr, "SKIPPED: one CPU only, no binding can change\n");
        return finish();
    }
    first = first_of(&allowed);
    second = second_of(&allowed);
    check_load();
    check_tables();
    check_asked_before();
    check_threads();
    return finish();
}
