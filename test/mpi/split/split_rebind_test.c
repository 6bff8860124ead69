/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A binding that changes between two splits, at one process only, changes the second at all; what one
 * thread is bound to, as OpenMP binds the one that calls, changes nothing.
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

static void check_pu_split(int is_null, int size)
{
    MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, "PU");
    MPI_Info info;

    CHECK((MPI_COMM_NULL == newcomm) == is_null);
    CHECK(MPI_COMM_NULL == newcomm || size == size_of(newcomm));
    free_comm(&newcomm);
    CHECK(MPI_SUCCESS == MPI_Get_hw_resource_info(&info));
    CHECK(has_value(info, "hwloc://PU", is_null ? "false" : "true"));
    MPI_Info_free(&info);
}

/* A thread that is bound to the first CPU while all others may run anywhere: the process is restricted to
 * no hardware thread. It calls MPI itself. */
static void *split_bound(void *argument)
{
    const cpu_set_t first = first_of(argument);

    CHECK(0 == pthread_setaffinity_np(pthread_self(), sizeof(first), &first));
    check_pu_split(1, 0);
    return NULL;
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
static void check_thread_elsewhere(cpu_set_t *allowed)
{
    cpu_set_t first = first_of(allowed), second = second_of(allowed);
    pthread_t thread = begin_on(&second);

    check_pu_split(1, 0);
    end(thread);
    check_pu_split(0, size_of(MPI_COMM_WORLD));
    /* One that comes for another one leaves their number as it is. */
    thread = begin_on(&first);
    check_pu_split(0, size_of(MPI_COMM_WORLD));
    end(thread);
    thread = begin_on(&second);
    check_pu_split(1, 0);
    CHECK(0 == pthread_setaffinity_np(thread, sizeof(first), &first));
    check_pu_split(0, size_of(MPI_COMM_WORLD));
    end(thread);
}

int main(int argc, char **argv)
{
    cpu_set_t allowed, first;
    pthread_t thread;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    if (CPU_COUNT(&allowed) < 2) {
        fprintf(stderr, "SKIPPED: one CPU only, no binding can change\n");
        return finish();
    }
    first = first_of(&allowed);
    check_pu_split(1, 0);

    CHECK(0 == pthread_create(&thread, NULL, split_bound, &allowed));
    pthread_join(thread, NULL);
    CHECK(0 == sched_setaffinity(0, sizeof(first), &first)); /* the main thread alone */
    check_pu_split(1, 0);
    bind_all_threads(&first); /* the others follow */
    check_pu_split(0, size_of(MPI_COMM_WORLD));
    check_thread_elsewhere(&allowed);
    bind_all_threads(&allowed);
    check_pu_split(1, 0);
    CHECK(0 == sched_setaffinity(0, sizeof(first), &first));
    check_pu_split(1, 0);
    CHECK(0 == sched_setaffinity(0, sizeof(allowed), &allowed));
    check_pu_split(1, 0);

    if (0 == rank_of(MPI_COMM_WORLD)) {
        bind_all_threads(&first);
    }
    check_pu_split(0 != rank_of(MPI_COMM_WORLD), 1);
    bind_all_threads(&first);
    check_pu_split(0, size_of(MPI_COMM_WORLD));
    bind_all_threads(&allowed);
    check_pu_split(1, 0);
    return finish();
}
