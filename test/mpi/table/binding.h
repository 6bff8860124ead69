/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Binding a whole process. Define _GNU_SOURCE before any header: sched.h needs it.
 */
#ifndef TEST_MPI_TABLE_BINDING_H
#define TEST_MPI_TABLE_BINDING_H

#include <dirent.h>
#include <sched.h>

#include "test/mpi/checks.h"

/* All threads: those that Open MPI started would keep the process unbound. */
static inline void bind_all_threads(const cpu_set_t *cpus)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;

    while (NULL != tasks && NULL != (task = readdir(tasks))) {
        const int thread = atoi(task->d_name);
        CHECK(0 == thread || 0 == sched_setaffinity(thread, sizeof(*cpus), cpus));
    }
    CHECK(NULL != tasks && 0 == closedir(tasks));
}

/* cpus is not empty. */
static inline cpu_set_t first_of(const cpu_set_t *cpus)
{
    cpu_set_t first;
    int cpu = 0;

    while (!CPU_ISSET(cpu, cpus)) {
        ++cpu;
    }
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    return first;
}

/* cpus are two at least. */
static inline cpu_set_t second_of(const cpu_set_t *cpus)
{
    cpu_set_t others = *cpus;
    const cpu_set_t first = first_of(cpus);

    CPU_XOR(&others, &others, &first);
    return first_of(&others);
}

#endif
