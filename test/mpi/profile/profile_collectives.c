/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: every collective call of MPI 3.1, blocking and not, on MPI_COMM_WORLD, and what
 * differs on the two sides of an intercommunicator.
 */
#include "test/mpi/profile/profile_program.h"

#define MAX 4096

static int out[MAX], in[MAX], counts[64], others[64], displacements[64], wide[64], byte_displacements[64];
static MPI_Datatype types[64];

/* count[r]: r + 1, and as many to me as I give out. */
static void fill_counts(void)
{
    for (int r = 0; r < size; ++r) {
        counts[r] = r + 1;
        others[r] = rank + 1;
        displacements[r] = r * (r + 1) / 2;
        wide[r] = 64 * r;
        byte_displacements[r] = 4 * 64 * r;
        types[r] = MPI_INT;
    }
}

static void use_roots(MPI_Comm comm)
{
    for (int root = 0; root < size; root += size - 1) {
        const int is_root = rank == root;

        BOTH(MPI_Bcast, MPI_Ibcast, out, 5, MPI_INT, root, comm);
        BOTH(MPI_Gather, MPI_Igather, out, 3, MPI_INT, in, 3, MPI_INT, root, comm);
        BOTH(MPI_Gatherv, MPI_Igatherv, out, counts[rank], MPI_INT, in, counts, displacements, MPI_INT, root, comm);
        BOTH(MPI_Reduce, MPI_Ireduce, out, in, 7, MPI_INT, MPI_SUM, root, comm);
        BOTH(MPI_Scatter, MPI_Iscatter, out, 2, MPI_INT, in, 2, MPI_INT, root, comm);
        BOTH(MPI_Scatterv, MPI_Iscatterv, out, counts, displacements, MPI_INT, in, counts[rank], MPI_INT, root, comm);
        /* In place; what does not count at this process is nonsense. */
        BOTH(MPI_Gather, MPI_Igather, is_root ? MPI_IN_PLACE : out, is_root ? -1 : 3,
             is_root ? MPI_DATATYPE_NULL : MPI_INT, is_root ? in : NULL, 3, MPI_INT, root, comm);
        BOTH(MPI_Scatter, MPI_Iscatter, is_root ? out : NULL, 2, MPI_INT, is_root ? MPI_IN_PLACE : in, 2, MPI_INT, root,
             comm);
        BOTH(MPI_Reduce, MPI_Ireduce, is_root ? MPI_IN_PLACE : out, is_root ? in : NULL, 7, MPI_INT, MPI_SUM, root,
             comm);
        if (size < 2) {
            break;
        }
    }
}

static void use_all(MPI_Comm comm)
{
    BOTH(MPI_Barrier, MPI_Ibarrier, comm);
    BOTH(MPI_Allgather, MPI_Iallgather, out, 3, MPI_INT, in, 3, MPI_INT, comm);
    BOTH(MPI_Allgather, MPI_Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 4, MPI_INT, comm);
    BOTH(MPI_Allgatherv, MPI_Iallgatherv, out, counts[rank], MPI_INT, in, counts, displacements, MPI_INT, comm);
    BOTH(MPI_Allgatherv, MPI_Iallgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, displacements, MPI_INT, comm);
    BOTH(MPI_Allreduce, MPI_Iallreduce, out, in, 6, MPI_INT, MPI_MAX, comm);
    BOTH(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, in, 6, MPI_INT, MPI_MAX, comm);
    BOTH(MPI_Alltoall, MPI_Ialltoall, out, 2, MPI_INT, in, 1, MPI_DOUBLE, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, comm);
    BOTH(MPI_Alltoallv, MPI_Ialltoallv, out, counts, displacements, MPI_INT, in, others, wide, MPI_INT, comm);
    BOTH(MPI_Alltoallw, MPI_Ialltoallw, out, counts, byte_displacements, types, in, others, byte_displacements, types,
         comm);
    BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, 3, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Scan, MPI_Iscan, out, in, 5, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Exscan, MPI_Iexscan, out, in, 6, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Scan, MPI_Iscan, MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, comm);
}

/* In place all give what they get. */
static void exchange_in_place(MPI_Comm comm)
{
    for (int r = 0; r < size; ++r) {
        others[r] = r + rank + 1;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, others, wide, MPI_INT, comm);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, others, byte_displacements, types, comm);
}

/* Rank 0 alone against all others. */
static void use_intercommunicator(void)
{
    MPI_Comm half, comm;
    MPI_Request request;
    const int is_first = 0 == rank;
    const int root = is_first ? MPI_ROOT : 0; /* the one process of the first side */
    int parts[64];

    if (2 > size) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 7, &comm);
    if (is_first) {
        MPI_Isend(out, 2, MPI_INT, 0, 0, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (1 == rank) {
        MPI_Recv(in, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(out, 5, MPI_INT, root, comm);
    MPI_Gather(out, 3, MPI_INT, in, 3, MPI_INT, root, comm);
    MPI_Scatter(out, 2, MPI_INT, in, 2, MPI_INT, root, comm);
    MPI_Reduce(out, in, 7, MPI_INT, MPI_SUM, root, comm);
    /* The other way: rank 0 of the many gets all, and its side's others look on. */
    const int back = is_first ? 0 : 1 == rank ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Gather(out, 3, MPI_INT, in, 3, MPI_INT, back, comm);
    MPI_Bcast(out, 5, MPI_INT, back, comm);
    MPI_Allgather(out, 3, MPI_INT, in, 3, MPI_INT, comm);
    MPI_Allreduce(out, in, 6, MPI_INT, MPI_MAX, comm);
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    /* Counts are for the own side, and both sides' sums equal: the other side's parts are even ones. */
    const int whole = 6 * (size - 1);
    for (int i = 0; i < size - 1; ++i) {
        parts[i] = is_first ? whole : 6;
    }
    if (3 <= size && !is_first) {
        parts[0] = 2;
        parts[1] = 10;
    }
    MPI_Reduce_scatter(out, in, parts, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(out, in, is_first ? whole : 6, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;

    begin(&argc, &argv);
    fill_counts();
    use_roots(MPI_COMM_WORLD);
    use_all(MPI_COMM_WORLD);
    exchange_in_place(MPI_COMM_WORLD);
    use_intercommunicator();

    /* Another order of ranks, and a duplicate of it. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &copy);
    MPI_Comm_rank(copy, &rank);
    fill_counts();
    use_roots(copy);
    MPI_Comm same;

    MPI_Comm_dup(copy, &same);
    MPI_Bcast(out, 5, MPI_INT, 0, same);
    MPI_Comm_free(&same);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
