/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload for many processes on few CPUs: who waits sleeps a millisecond each time it would give its CPU away,
 * since it would get it back at once.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define NAP_US 1000

static void nap(unsigned us)
{
    const unsigned longer = us < NAP_US ? NAP_US : us;
    const struct timespec time = {longer / 1000000, longer % 1000000 * 1000};

    (void) nanosleep(&time, NULL);
}

int sched_yield(void)
{
    nap(0);
    return 0;
}

int usleep(useconds_t us)
{
    nap(us);
    return 0;
}
