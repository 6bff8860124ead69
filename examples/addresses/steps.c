/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * How far a message goes in each round of an algorithm whose distance doubles, as recursive doubling does: a process
 * reads the addresses of a few others, and of no more.
 */
#include <mpi.h>
#include <stdio.h>

#include "ompi/mca/hitopo/hitopo.h"

/* The outermost level at which two addresses differ; HITOPO_NUM_LEVELS: none. */
static int parting_level(const hitopo_int_t *a, const hitopo_int_t *b)
{
    int level = 0;
    while (level < HITOPO_NUM_LEVELS && a[level] == b[level] && HITOPO_UNKNOWN != a[level]) {
        ++level;
    }
    return level;
}

int main(int argc, char **argv)
{
    static const char *const levels[] = {"cluster", "island", "switch",   "node",   "L2 NUMA",
                                         "socket",  "core",   "hwthread", "nothing"};
    hitopo_int_t mine[HITOPO_NUM_LEVELS], theirs[HITOPO_NUM_LEVELS];
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (OMPI_SUCCESS != ompi_hitopo_read_addr(MPI_COMM_WORLD, rank, mine)) {
        fprintf(stderr, "steps: there is no address table; is HiTopo enabled?\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int distance = 1; distance < size; distance *= 2) {
        ompi_hitopo_read_addr(MPI_COMM_WORLD, (rank + distance) % size, theirs);
        int crossed = parting_level(mine, theirs), outermost;
        MPI_Reduce(&crossed, &outermost, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
        if (0 == rank) {
            printf("distance %d: the farthest message leaves its %s\n", distance, levels[outermost]);
        }
    }
    MPI_Finalize();
    return 0;
}
