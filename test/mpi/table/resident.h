/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of this process, for tests that it does not grow.
 */
#ifndef TEST_MPI_TABLE_RESIDENT_H
#define TEST_MPI_TABLE_RESIDENT_H

#include <stdio.h>
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

/* Makes and frees 10 000 of something, and checks that the second half left no memory behind: less than 100 bytes each.
 * Under valgrind, as many as HITOPO_TEST_NUM_COMMS says, and valgrind checks. Gives how many. */
static inline int make_and_free_many(void (*make_and_free)(int i))
{
    const char *count = getenv("HITOPO_TEST_NUM_COMMS");
    const int num_comms = NULL == count ? 10000 : atoi(count);
    long halfway = 0;

    for (int i = 0; i < num_comms; ++i) {
        make_and_free(i);
        if (i == num_comms / 2) {
            halfway = resident_kib();
        }
    }
    const long growth = resident_kib() - halfway;
    if (NULL == count && growth > 512) {
        fprintf(stderr, "resident memory grew by %ld KiB in the second half\n", growth);
    }
    CHECK(NULL != count || growth <= 512);
    return num_comms;
}

#endif
