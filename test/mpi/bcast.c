/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Bcast from each root, on the world and on its even and odd halves: for examples/coll.
 */
#include "checks.h"

#define NUM_VALUES 1000

static void test_all_roots(MPI_Comm comm)
{
    int values[NUM_VALUES];

    for (int root = 0; root < size_of(comm); ++root) {
        for (int i = 0; i < NUM_VALUES; ++i) {
            values[i] = rank_of(comm) == root ? root * NUM_VALUES + i : -1;
        }
        MPI_Bcast(values, NUM_VALUES, MPI_INT, root, comm);
        for (int i = 0; i < NUM_VALUES; ++i) {
            CHECK(values[i] == root * NUM_VALUES + i);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    test_all_roots(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &half);
    test_all_roots(half);
    MPI_Comm_free(&half);
    return finish();
}
