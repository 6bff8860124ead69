/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Contributions to collectives whose results are known beforehand: 64-bit integers by rank, call and place.
 */
#ifndef TEST_MPI_COLL_KNOWN_NUMBERS_H
#define TEST_MPI_COLL_KNOWN_NUMBERS_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/mpi/coll/random_numbers.h"

/* What rank `rank` contributes at place i of call `call`. */
static inline int64_t number(int rank, int call, int64_t i)
{
    return (rank + 1) * (int64_t) 1000003 + call * (int64_t) 7919 + i * 13;
}

/* sum: by all ranks; else the greatest. */
static inline int64_t merged(int size, int call, int64_t i, int is_sum)
{
    int64_t result = 0;
    for (int rank = 0; rank < size; ++rank) {
        result = is_sum ? result + number(rank, call, i) : number(rank, call, i);
    }
    return result;
}

/* This thread: where it is, and how many results were not those that are known. */
static __thread int rank, size, call, num_unexpected;

static inline void expect(int64_t got, int64_t wanted, const char *what, int64_t i)
{
    if (got != wanted && num_unexpected++ < 5) {
        fprintf(stderr, "rank %d of %d, call %d: %s at %lld: %lld, not %lld\n", rank, size, call, what, (long long) i,
                (long long) got, (long long) wanted);
    }
}

/* ---- types: one 64-bit integer an element, as seen by this rank ---- */

typedef struct {
    MPI_Datatype type;
    int stride; /* 64-bit integers from one to the next */
} element_t;

/* Every second integer, or all: bcast and allgather need not agree on it. */
static inline element_t element_of(int is_strided)
{
    element_t element = {MPI_INT64_T, 1};
    if (is_strided) {
        MPI_Type_create_resized(MPI_INT64_T, 0, 2 * sizeof(int64_t), &element.type);
        MPI_Type_commit(&element.type);
        element.stride = 2;
    }
    return element;
}

static inline void drop(element_t *element)
{
    if (element->stride > 1) {
        MPI_Type_free(&element->type);
    }
}

static inline int64_t *room(int64_t count, int stride)
{
    int64_t *all = malloc((size_t) (count * stride + 1) * sizeof(*all));
    for (int64_t i = 0; i < count * stride; ++i) {
        all[i] = -1;
    }
    return all;
}

static inline void fill(int64_t *to, int64_t count, int stride)
{
    for (int64_t i = 0; i < count; ++i) {
        to[i * stride] = number(rank, call, i);
    }
}

static inline void expect_gaps(const int64_t *all, int64_t count, int stride, const char *what)
{
    for (int64_t i = 0; stride > 1 && i < count; ++i) {
        expect(all[i * stride + 1], -1, what, i);
    }
}

/* Blocks of other lengths at each rank, some of none, with a gap of one element behind each. */
typedef struct {
    int counts[64], begins[64], end;
} blocks_t;

static inline blocks_t random_blocks(int64_t count, int gap)
{
    blocks_t blocks = {.end = 0};
    for (int i = 0; i < size; ++i) {
        blocks.counts[i] = below(4) == 0 ? 0 : below(2 * (int) count / size + 1);
        blocks.begins[i] = blocks.end;
        blocks.end += blocks.counts[i] + gap;
    }
    return blocks;
}

/* Elements that one rank has for another: none, some that are short, some that are long. */
static inline int pair_count(int from, int to)
{
    const int mixed = from * 31 + to * 17 + call * 11;
    return mixed % 4 == 0 ? 0 : mixed % 60;
}

#endif
