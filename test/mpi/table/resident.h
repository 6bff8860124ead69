/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of this process, for tests that it does not grow.
 */
#ifndef TEST_MPI_TABLE_RESIDENT_H
#define TEST_MPI_TABLE_RESIDENT_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long resident_kib(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (NULL != file) {
        if (2 != fscanf(file, "%ld %ld", &total, &resident)) {
            resident = 0;
        }
        fclose(file);
    }
    return resident * sysconf(_SC_PAGESIZE) / 1024;
}

/* Makes and frees 10 000 of something, and checks that those of the second half leave no memory behind: less than 100
 * bytes each, in the best of its fifths, for Open MPI keeps memory for messages of processes that run ahead, on a
 * loaded machine at any time. Under valgrind and the sanitizers, as many as HITOPO_TEST_NUM_COMMS says, and these
 * check. Gives how many. */
static inline int make_and_free_many(void (*make_and_free)(int i))
{
    const char *count = getenv("HITOPO_TEST_NUM_COMMS");
    const int num_comms = NULL == count ? 10000 : atoi(count);
    const int num_in_fifth = num_comms / 10;
    long before = 0, least = LONG_MAX;

    for (int i = 0; i <= num_comms; ++i) {
        if (NULL == count && i >= num_comms / 2 && 0 == i % num_in_fifth) {
            const long now = resident_kib();
            least = i > num_comms / 2 && now - before < least ? now - before : least;
            before = now;
        }
        if (i < num_comms) {
            make_and_free(i);
        }
    }
    if (NULL == count && least > num_in_fifth / 10) {
        fprintf(stderr, "resident memory grew by %ld KiB and more with each %d\n", least, num_in_fifth);
    }
    CHECK(NULL != count || least <= num_in_fifth / 10);
    return num_comms;
}

#endif
