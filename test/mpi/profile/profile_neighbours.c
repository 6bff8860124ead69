/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: neighbourhood collectives on Cartesian communicators with and without borders, on
 * graphs, and on distributed graphs where some process has no neighbour, or one twice.
 */
#include "test/mpi/profile/profile_program.h"

#define MAX 4096

static int out[MAX], in[MAX], counts[64], displacements[64];
static MPI_Aint byte_displacements[64];
static MPI_Datatype types[64];

/* Counts of what comes in are those of the senders: all the same, but for alltoallv and w. */
static void use_neighbours(MPI_Comm comm, const int *in_counts)
{
    for (int i = 0; i < 64; ++i) {
        counts[i] = 1 + i;
        displacements[i] = 64 * i;
        byte_displacements[i] = 4 * 64 * i;
        types[i] = MPI_INT;
    }
    static int threes[64];
    for (int i = 0; i < 64; ++i) {
        threes[i] = 3;
    }
    BOTH(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, 2, MPI_INT, in, 2, MPI_INT, comm);
    BOTH(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, 3, MPI_INT, in, threes, displacements, MPI_INT, comm);
    BOTH(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, 4, MPI_INT, in, 4, MPI_INT, comm);
    BOTH(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts, displacements, MPI_INT, in, in_counts,
         displacements, MPI_INT, comm);
    BOTH(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts, byte_displacements, types, in, in_counts,
         byte_displacements, types, comm);
}

/* A line of all processes. What comes from below was the sender's edge upward, its second. */
static void use_line(int is_ring)
{
    const int periods[1] = {is_ring}, dims[1] = {size}, in_counts[2] = {2, 1};
    MPI_Comm comm;

    if (is_ring && 3 > size) {
        return; /* both neighbours one process: Open MPI 4.1 mixes up such edges */
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    use_neighbours(comm, in_counts);
    MPI_Comm_free(&comm);
}

/* Rank 0 is joined with each other rank. */
static void use_star(void)
{
    int index[64], edges[128], in_counts[64];
    MPI_Comm comm;

    for (int i = 0; i < size; ++i) {
        index[i] = size - 1 + i;
        if (0 < i) {
            edges[i - 1] = i;
            edges[size - 2 + i] = 0;
        }
        in_counts[i] = 0 == rank ? 1 : rank; /* the edge to me is the centre's (rank - 1)th */
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    use_neighbours(comm, in_counts);
    MPI_Comm_free(&comm);
}

/* Each sends to the next rank, twice where it is even; the last to nobody. */
static void use_chain(void)
{
    const int num_out = rank + 1 == size ? 0 : 0 == rank % 2 ? 2 : 1;
    const int num_in = 0 == rank ? 0 : 1 == rank % 2 ? 2 : 1;
    const int sources[2] = {rank - 1, rank - 1}, dests[2] = {rank + 1, rank + 1}, in_counts[2] = {1, 2};
    const int degree[1] = {num_out};
    int *volatile unweighted = MPI_UNWEIGHTED; /* the compiler takes it for an array to read */
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, num_in, sources, unweighted, num_out, dests, unweighted,
                                   MPI_INFO_NULL, 0, &comm);
    use_neighbours(comm, in_counts);
    MPI_Comm_free(&comm);

    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, degree, dests, dests, MPI_INFO_NULL, 0, &comm);
    use_neighbours(comm, in_counts);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    use_line(0);
    use_line(1);
    if (2 <= size) {
        use_star();
    }
    use_chain();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
