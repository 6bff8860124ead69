/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 01-show-help.c -o help -lopen-pal; for i in $(seq 100); do mpirun -np 2 ./help 2>&1; done | grep -c marker
 * Fewer than 100: mpirun lost the others (use after free, see `valgrind --fair-sched=yes mpirun ..`).
 */
#include <mpi.h>
#include <stdbool.h>

typedef int (*show_help_fn_t)(const char *file, const char *topic, bool want_error_header, ...);
extern show_help_fn_t opal_show_help;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (0 == rank) {
        opal_show_help("help-mca-base.txt", "find-available:not-valid", true, "host", "framework", "marker");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
