/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload for many processes on few CPUs: who would give its CPU away, and get it back at once, sleeps instead: until
 * a socket that it polls is ready, but for NAP_US at most (microseconds; default 1000), since what comes through shared
 * memory wakes nobody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_POLLED 1024

typedef int poll_t(struct pollfd *polled, nfds_t num, int timeout_ms);

/* What this thread polled last without waiting, as Open MPI's progress does, and whether anything was ready since it
 * would have given its CPU away: Open MPI does not look whether it still has to wait. */
static __thread struct pollfd last[MAX_POLLED];
static __thread nfds_t num_last;
static __thread int has_found;

static poll_t *own_poll(void)
{
    static poll_t *own;

    if (NULL == own) {
        own = (poll_t *) dlsym(RTLD_NEXT, "poll");
    }
    return own;
}

int poll(struct pollfd *polled, nfds_t num, int timeout_ms)
{
    const int num_ready = own_poll()(polled, num, timeout_ms);

    if (0 == timeout_ms && num <= MAX_POLLED) {
        memcpy(last, polled, num * sizeof(*polled));
        num_last = num;
        has_found |= num_ready > 0;
    }
    return num_ready;
}

static struct timespec to_time(long us)
{
    const struct timespec time = {us / 1000000, us % 1000000 * 1000};

    return time;
}

static long nap_us(void)
{
    static long us = -1;

    if (0 > us) {
        const char *value = getenv("NAP_US");
        us = NULL == value ? 1000 : atol(value);
    }
    return us;
}

static void nap(long us)
{
    const struct timespec time = to_time(us < nap_us() ? nap_us() : us);

    (void) nanosleep(&time, NULL);
}

/* What is ready stays so: the next poll sees it, too. */
int sched_yield(void)
{
    const struct timespec time = to_time(nap_us());

    if (!has_found && ppoll(last, num_last, &time, NULL) < 0) {
        nap(0);
    }
    has_found = 0;
    return 0;
}

int usleep(useconds_t us)
{
    nap(us);
    return 0;
}
