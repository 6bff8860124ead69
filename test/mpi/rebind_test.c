/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A binding that changes after MPI_Init: the table stands until ompi_hitopo_load, which all members
 * notice though only one of them moved.
 */
/* ranks: 2 4 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>

#include "checks.h"

/* All threads: those that Open MPI started would keep the process unbound. */
static void bind_all_threads(const cpu_set_t *cpus)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;

    while (NULL != tasks && NULL != (task = readdir(tasks))) {
        const int thread = atoi(task->d_name);
        CHECK(0 == thread || 0 == sched_setaffinity(thread, sizeof(*cpus), cpus));
    }
    CHECK(NULL != tasks && 0 == closedir(tasks));
}

static void keep_first(cpu_set_t *cpus)
{
    int cpu = 0;

    while (!CPU_ISSET(cpu, cpus)) {
        ++cpu;
    }
    CPU_ZERO(cpus);
    CPU_SET(cpu, cpus);
}

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
        keep_first(&allowed);
        bind_all_threads(&allowed);
    }
    CHECK(0 == ompi_hitopo_load(inner(MPI_COMM_WORLD)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD));
    CHECK(NULL != rows && rows[0][HITOPO_LEVEL_CORE] == 0);
    for (int i = 1; NULL != rows && i < size_of(MPI_COMM_WORLD); ++i) {
        CHECK(rows[i][HITOPO_LEVEL_CORE] == -1); /* rank 0 knows its core, the others none */
    }
    return finish();
}
