/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_COMM_WORLD's table and those derived from it.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"

enum { BAD_PARAM = -5 }; /* OMPI_ERR_BAD_PARAM */

/* Before all rows are there and after. */
static void test_reading(const int32_t *const *rows)
{
    static int32_t read[64][HITOPO_NUM_LEVELS];
    const int size = size_of(MPI_COMM_WORLD), last = size - 1;
    int32_t unchanged[HITOPO_NUM_LEVELS] = {7, 7, 7, 7, 7, 7, 7, 7};

    for (int i = 0; i < size; ++i) {
        CHECK(0 == ompi_hitopo_read_addr(inner(MPI_COMM_WORLD), i, read[i]));
        CHECK(NULL == rows || 0 == memcmp(read[i], rows[i], sizeof(read[i])));
    }
    CHECK(0 == memcmp(ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), last), read[last], sizeof(read[last])));
    CHECK(BAD_PARAM == ompi_hitopo_read_addr(inner(MPI_COMM_WORLD), -1, unchanged));
    CHECK(BAD_PARAM == ompi_hitopo_read_addr(inner(MPI_COMM_WORLD), size, unchanged));
    CHECK(BAD_PARAM == ompi_hitopo_read_addr(inner(MPI_COMM_WORLD), 0, NULL));
    CHECK(7 == unchanged[0] && 7 == unchanged[HITOPO_NUM_LEVELS - 1]);
}

static unsigned levels_divided(int32_t **rows, int size)
{
    unsigned levels = 0;
    for (int level = 0; level < HITOPO_NUM_LEVELS; ++level) {
        for (int i = 0; i < size; ++i) {
            levels |= rows[i][level] > 0 ? 1u << level : 0; /* numbers are dense */
        }
    }
    return levels;
}

static void test_world(void)
{
    const int size = size_of(MPI_COMM_WORLD);
    const int32_t *last = ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), size - 1);
    int32_t **rows = ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD));

    CHECK(NULL != rows);
    if (NULL == rows) {
        return;
    }
    CHECK(is_same_everywhere(MPI_COMM_WORLD, rows, size));
    CHECK(is_dense(rows, size));
    CHECK(rows[size - 1] == last);
    CHECK(levels_divided(rows, size) == ompi_hitopo_get_divided_levels(inner(MPI_COMM_WORLD)));
    test_reading((const int32_t *const *) rows);
    for (int i = 0; i < size; ++i) {
        CHECK(rows[i][HITOPO_LEVEL_NODE] == 0); /* one machine */
        CHECK(ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), i) == rows[i]);
    }
    CHECK(NULL == ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), -1));
    CHECK(NULL == ompi_hitopo_get_addr(inner(MPI_COMM_WORLD), size));
}

/* If any of these calls communicated, rank 0 alone would hang in it. */
static void test_local(void)
{
    if (0 == rank_of(MPI_COMM_WORLD)) {
        CHECK(NULL != ompi_hitopo_get_addr(inner(MPI_COMM_SELF), 0));
        CHECK(NULL != ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD)));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_self(void)
{
    const int32_t *row = ompi_hitopo_get_addr(inner(MPI_COMM_SELF), 0);

    CHECK(NULL != row);
    for (int level = 0; NULL != row && level < HITOPO_NUM_LEVELS; ++level) {
        CHECK(row[level] == 0);
    }
}

/* A duplicate's table is the original's: one group, one table. */
static void test_duplicate(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    CHECK(ompi_hitopo_get_addrs(inner(copy)) == ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD)));
    MPI_Comm_free(&copy);
    CHECK(NULL != ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD)));
}

/* In reverse order each process keeps its place; only what numbers ranks (hwthread) may differ. */
static void test_reversed(void)
{
    const int size = size_of(MPI_COMM_WORLD);
    MPI_Comm reversed;

    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank_of(MPI_COMM_WORLD), &reversed);
    int32_t **rows = ompi_hitopo_get_addrs(inner(reversed));
    int32_t **world = ompi_hitopo_get_addrs(inner(MPI_COMM_WORLD));
    CHECK(NULL != rows && is_dense(rows, size));
    for (int i = 0; NULL != rows && i < size; ++i) {
        CHECK(0 == memcmp(rows[i], world[size - 1 - i], HITOPO_LEVEL_HWTHREAD * sizeof(int32_t)));
    }
    MPI_Comm_free(&reversed);
}

static void test_halves(void)
{
    MPI_Comm half;

    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &half);
    int32_t **rows = ompi_hitopo_get_addrs(inner(half));
    CHECK(NULL != rows);
    if (NULL != rows) {
        CHECK(is_dense(rows, size_of(half)));
        CHECK(is_same_everywhere(half, rows, size_of(half)));
    }
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_reading(NULL);
    test_world();
    test_local();
    test_self();
    test_duplicate();
    test_reversed();
    test_halves();
    return finish();
}
