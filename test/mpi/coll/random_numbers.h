/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers that `state`, a seed at first, decides, in each thread. All ranks that start with the same draw the
 * same.
 */
#ifndef TEST_MPI_COLL_RANDOM_NUMBERS_H
#define TEST_MPI_COLL_RANDOM_NUMBERS_H

#include <stdint.h>

static __thread uint64_t state;

static inline int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int) ((state >> 33) % (uint64_t) n);
}

#endif
