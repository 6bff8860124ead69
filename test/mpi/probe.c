/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program that knows nothing of HiTopo at link time: rank 0 prints each process's address, or
 * that there is no table. For tests of the ways in and of bad input.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

typedef union get_addrs_t {
    void *address;
    int32_t **(*call)(MPI_Comm);
} get_addrs_t;

static void print_rows(int32_t **rows, int size)
{
    if (NULL == rows) {
        puts("no table");
        return;
    }
    for (int i = 0; i < size; ++i) {
        for (int level = 0; level < 8; ++level) {
            printf("%d%c", (int) rows[i][level], level < 7 ? '.' : '\n');
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    get_addrs_t get_addrs = {dlsym(RTLD_DEFAULT, "ompi_hitopo_get_addrs")};
    int32_t **rows = NULL == get_addrs.address ? NULL : get_addrs.call(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (0 == rank) {
        print_rows(rows, size);
    }
    MPI_Finalize();
    return 0;
}
