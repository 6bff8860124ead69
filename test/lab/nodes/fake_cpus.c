/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that plays the FAKE_CPUS CPUs of a node's fake machine: bindings are kept in files by thread, and never
 * asked of the kernel. Open MPI's daemon binds a process before it starts the program; both read the
 * node's own /tmp. Process numbers are the node's own too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define FOLDER "/tmp/fake_cpus"

static FILE *open_binding(pid_t thread, const char *mode)
{
    char path[64];

    snprintf(path, sizeof(path), FOLDER "/%ld", (long) (0 == thread ? gettid() : thread));
    return fopen(path, mode);
}

static int is_own_thread(pid_t thread)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/task/%ld", (long) thread);
    return 0 == thread || 0 == access(path, F_OK);
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
    FILE *file;

    (void) mkdir(FOLDER, 0777);
    file = open_binding(thread, "w");
    if (NULL != file) {
        (void) fwrite(set, 1, size, file);
        fclose(file);
    }
    return 0;
}

static int has_ended(pid_t thread)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%ld", (long) thread);
    return 0 != thread && 0 != access(path, F_OK);
}

/* Threads have their process's binding until they get one of their own. One that has ended meanwhile has none. */
int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
    const char *num_cpus = getenv("FAKE_CPUS");
    FILE *file = open_binding(thread, "r");

    memset(set, 0, size);
    if (NULL == file && is_own_thread(thread)) {
        file = open_binding(getpid(), "r");
    }
    if (NULL != file) {
        (void) !fread(set, 1, size, file);
        fclose(file);
        return 0;
    }
    if (has_ended(thread)) {
        errno = ESRCH;
        return -1;
    }
    for (int cpu = 0; NULL != num_cpus && cpu < atoi(num_cpus); ++cpu) {
        CPU_SET_S((size_t) cpu, size, set);
    }
    return 0;
}
