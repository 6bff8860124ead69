/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What HiTopo does beside MPI_Init is not noticed: its programs raise no SIGCHLD here and are no children that
 * wait() finds, and hwloc, which reads the environment that MPI_Init changes, runs on no thread of this
 * process.
 */
/* ranks: 1 2 */
/* mpirun: --bind-to core */
/* libs: -rdynamic */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/mpi/checks.h"

static volatile sig_atomic_t num_child_signals, num_loads_on_threads;

static void count_child(int signal)
{
    (void) signal;
    num_child_signals = num_child_signals + 1;
}

/* Before the library's, for all that is loaded. */
int hwloc_topology_load(void *topology);
int hwloc_topology_load(void *topology)
{
    union {
        void *address;
        int (*call)(void *topology);
    } next = {dlsym(RTLD_NEXT, "hwloc_topology_load")};

    if (syscall(SYS_gettid) != getpid()) {
        num_loads_on_threads = num_loads_on_threads + 1;
    }
    return next.call(topology);
}

static void test_the_test(void)
{
    pid_t child = fork();

    if (0 == child) {
        _exit(0);
    }
    while (0 > waitpid(child, NULL, 0) && EINTR == errno) {
    }
    CHECK(1 == num_child_signals);
}

int main(int argc, char **argv)
{
    setenv("SLURM_JOB_ID", "1", 1); /* and no SLURM_TOPOLOGY_ADDR: rank 0 asks slurmctld, in vain */
    setenv("SLURM_CONF", "/nonexistent/slurm.conf", 1);
    signal(SIGCHLD, count_child);
    MPI_Init(&argc, &argv);
    CHECK(0 == num_child_signals);
    CHECK(0 == num_loads_on_threads);
    CHECK(-1 == waitpid(-1, NULL, WNOHANG) && ECHILD == errno);
    CHECK(NULL != ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), 0));
    test_the_test();
    return finish();
}
