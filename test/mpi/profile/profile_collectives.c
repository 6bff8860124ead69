/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: every collective call of MPI 3.1, blocking and not, on MPI_COMM_WORLD, and what differs on
 * the two sides of an intercommunicator.
 */
#include "test/mpi/profile/profile_trace.h"

#define MAX 4096

static int out[MAX], in[MAX], counts[64], others[64], displacements[64], wide[64], byte_displacements[64];
static MPI_Datatype types[64];
static const char *nothing = "";

static const char *rooted(int root, int bytes)
{
    return text("root=%d bytes=%d", root, bytes);
}

static const char *plain(int bytes)
{
    return text("bytes=%d", bytes);
}

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

static void use_roots(MPI_Comm comm, const char *label)
{
    for (int root = 0; root < size; root += size - 1) {
        const int is_root = rank == root;

        BOTH(MPI_Bcast, MPI_Ibcast, label, rooted(root, 20), out, 5, MPI_INT, root, comm);
        BOTH(MPI_Gather, MPI_Igather, label, rooted(root, 12), out, 3, MPI_INT, in, 3, MPI_INT, root, comm);
        BOTH(MPI_Gatherv, MPI_Igatherv, label, rooted(root, 4 * counts[rank]), out, counts[rank], MPI_INT, in, counts,
             displacements, MPI_INT, root, comm);
        BOTH(MPI_Reduce, MPI_Ireduce, label, rooted(root, 28), out, in, 7, MPI_INT, MPI_SUM, root, comm);
        BOTH(MPI_Scatter, MPI_Iscatter, label, rooted(root, 8), out, 2, MPI_INT, in, 2, MPI_INT, root, comm);
        BOTH(MPI_Scatterv, MPI_Iscatterv, label, text("root=%d %s", root, list("each", size, counts, 4)), out, counts,
             displacements, MPI_INT, in, counts[rank], MPI_INT, root, comm);
        /* In place; what does not count at this process is nonsense. */
        BOTH(MPI_Gather, MPI_Igather, label, rooted(root, 12), is_root ? MPI_IN_PLACE : out, is_root ? -1 : 3,
             is_root ? MPI_DATATYPE_NULL : MPI_INT, is_root ? in : NULL, 3, MPI_INT, root, comm);
        BOTH(MPI_Scatter, MPI_Iscatter, label, rooted(root, 8), is_root ? out : NULL, 2, MPI_INT,
             is_root ? MPI_IN_PLACE : in, 2, MPI_INT, root, comm);
        BOTH(MPI_Reduce, MPI_Ireduce, label, rooted(root, 28), is_root ? MPI_IN_PLACE : out, is_root ? in : NULL, 7,
             MPI_INT, MPI_SUM, root, comm);
        if (size < 2) {
            break;
        }
    }
}

static void use_all(MPI_Comm comm, const char *label)
{
    BOTH(MPI_Barrier, MPI_Ibarrier, label, nothing, comm);
    BOTH(MPI_Allgather, MPI_Iallgather, label, plain(12), out, 3, MPI_INT, in, 3, MPI_INT, comm);
    BOTH(MPI_Allgather, MPI_Iallgather, label, plain(16), MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 4, MPI_INT, comm);
    BOTH(MPI_Allgatherv, MPI_Iallgatherv, label, plain(4 * counts[rank]), out, counts[rank], MPI_INT, in, counts,
         displacements, MPI_INT, comm);
    BOTH(MPI_Allgatherv, MPI_Iallgatherv, label, plain(4 * counts[rank]), MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in,
         counts, displacements, MPI_INT, comm);
    BOTH(MPI_Allreduce, MPI_Iallreduce, label, plain(24), out, in, 6, MPI_INT, MPI_MAX, comm);
    BOTH(MPI_Allreduce, MPI_Iallreduce, label, plain(24), MPI_IN_PLACE, in, 6, MPI_INT, MPI_MAX, comm);
    BOTH(MPI_Alltoall, MPI_Ialltoall, label, plain(8), out, 2, MPI_INT, in, 1, MPI_DOUBLE, comm);
    CALL(MPI_Alltoall, label, plain(8), MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, comm);
    BOTH(MPI_Alltoallv, MPI_Ialltoallv, label, list("each", size, counts, 4), out, counts, displacements, MPI_INT, in,
         others, wide, MPI_INT, comm);
    BOTH(MPI_Alltoallw, MPI_Ialltoallw, label, list("each", size, counts, 4), out, counts, byte_displacements, types,
         in, others, byte_displacements, types, comm);
    BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, label, list("each", size, counts, 4), out, in, counts, MPI_INT,
         MPI_SUM, comm);
    BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, label, list("each", size, counts, 4), MPI_IN_PLACE, in, counts,
         MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, label, plain(12), out, in, 3, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Scan, MPI_Iscan, label, plain(20), out, in, 5, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Exscan, MPI_Iexscan, label, plain(24), out, in, 6, MPI_INT, MPI_SUM, comm);
    BOTH(MPI_Scan, MPI_Iscan, label, plain(20), MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, comm);
}

/* In place all give what they get. */
static void exchange_in_place(MPI_Comm comm, const char *label)
{
    for (int r = 0; r < size; ++r) {
        others[r] = r + rank + 1;
    }
    CALL(MPI_Alltoallv, label, list("each", size, others, 4), MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, others,
         wide, MPI_INT, comm);
    CALL(MPI_Alltoallw, label, list("each", size, others, 4), MPI_IN_PLACE, NULL, NULL, NULL, in, others,
         byte_displacements, types, comm);
}

/* Rank 0 alone against all others. */
static void use_intercommunicator(void)
{
    MPI_Comm half, comm;
    const int is_first = 0 == rank, num_others = is_first ? size - 1 : 1;
    const int root = is_first ? MPI_ROOT : 0; /* the one process of the first side */
    int parts[64];

    if (2 > size) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &half);
    trace("call MPI_Comm_split MPI_COMM_WORLD");
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 7, &comm);
    trace_comm(comm, is_first ? "one" : "many", 1);
    const char *label = is_first ? "one" : "many";

    MPI_Request request;
    if (is_first) {
        CALL(MPI_Isend, label, "dest=0 bytes=8", out, 2, MPI_INT, 0, 0, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (1 == rank) {
        CALL(MPI_Recv, label, nothing, in, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    }
    CALL(MPI_Bcast, label, rooted(root, 20), out, 5, MPI_INT, root, comm);
    CALL(MPI_Gather, label, rooted(root, 12), out, 3, MPI_INT, in, 3, MPI_INT, root, comm);
    CALL(MPI_Scatter, label, rooted(root, 8), out, 2, MPI_INT, in, 2, MPI_INT, root, comm);
    CALL(MPI_Reduce, label, rooted(root, 28), out, in, 7, MPI_INT, MPI_SUM, root, comm);
    /* The other way: rank 0 of the many gets all, and its side's others look on. */
    const int back = is_first ? 0 : 1 == rank ? MPI_ROOT : MPI_PROC_NULL;
    CALL(MPI_Gather, label, rooted(back, 12), out, 3, MPI_INT, in, 3, MPI_INT, back, comm);
    CALL(MPI_Bcast, label, rooted(back, 20), out, 5, MPI_INT, back, comm);
    CALL(MPI_Allgather, label, plain(12), out, 3, MPI_INT, in, 3, MPI_INT, comm);
    CALL(MPI_Allreduce, label, plain(24), out, in, 6, MPI_INT, MPI_MAX, comm);
    CALL(MPI_Alltoall, label, plain(8), out, 2, MPI_INT, in, 2, MPI_INT, comm);
    /* Counts are for the own side, and both sides' sums equal: the other side's parts are even ones. */
    const int whole = 6 * (size - 1);
    for (int i = 0; i < size - 1; ++i) {
        parts[i] = is_first ? whole : 6;
    }
    if (3 <= size && !is_first) {
        parts[0] = 2;
        parts[1] = 10;
    }
    CALL(MPI_Reduce_scatter, label, plain(4 * whole / num_others), out, in, parts, MPI_INT, MPI_SUM, comm);
    CALL(MPI_Reduce_scatter_block, label, plain(4 * whole / num_others), out, in, is_first ? whole : 6, MPI_INT,
         MPI_SUM, comm);
    CALL(MPI_Barrier, label, nothing, comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    trace_begin(argc, argv);
    fill_counts();
    use_roots(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    use_all(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    exchange_in_place(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    use_intercommunicator();

    /* Another order of ranks, registered; and a duplicate of it, which is not. */
    trace("call MPI_Comm_split MPI_COMM_WORLD");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &copy);
    trace_comm(copy, "backwards", 1);
    MPI_Comm_rank(copy, &rank);
    fill_counts();
    use_roots(copy, "backwards");
    MPI_Comm same;
    trace("call MPI_Comm_dup backwards");
    MPI_Comm_dup(copy, &same);
    MPI_Bcast(out, 5, MPI_INT, 0, same);
    MPI_Comm_free(&same);
    MPI_Comm_free(&copy);
    return trace_end();
}
