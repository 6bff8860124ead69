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

#endif
