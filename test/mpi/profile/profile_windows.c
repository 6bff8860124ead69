/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: one-sided communication on every kind of window, also on those of communicators that are freed
 * before, that are registered after the window was made, or never.
 */
#include "test/mpi/profile/profile_trace.h"

static int out[64], in[64], compared, memory[256];
static MPI_Win win;
static const char *label, *nothing = "";

static const char *put(int dest, int bytes)
{
    return text("dest=%d bytes=%d", dest, bytes);
}
static const char *get(int from, int bytes)
{
    return text("from=%d fetched=%d", from, bytes);
}
static const char *both(int dest, int bytes, int fetched)
{
    return text("dest=%d bytes=%d from=%d fetched=%d", dest, bytes, dest, fetched);
}

static void use_each_call(int peer)
{
    MPI_Datatype pairs;
    MPI_Request request;

    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    CALL(MPI_Put, label, put(peer, 4), out, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    CALL(MPI_Put, label, put(peer, 24), out, 3, pairs, peer, 0, 6, MPI_INT, win);
    CALL(MPI_Accumulate, label, put(peer, 8), out, 2, MPI_INT, peer, 0, 2, MPI_INT, MPI_SUM, win);
    CALL(MPI_Get, label, get(peer, 12), in, 3, MPI_INT, peer, 0, 3, MPI_INT, win);
    CALL(MPI_Get_accumulate, label, both(peer, 16, 16), out, 4, MPI_INT, in, 4, MPI_INT, peer, 0, 4, MPI_INT, MPI_SUM,
         win);
    CALL(MPI_Get_accumulate, label, get(peer, 20), NULL, 0, MPI_INT, in, 5, MPI_INT, peer, 0, 5, MPI_INT, MPI_NO_OP,
         win);
    CALL(MPI_Fetch_and_op, label, both(peer, 4, 4), out, in, MPI_INT, peer, 0, MPI_SUM, win);
    CALL(MPI_Fetch_and_op, label, get(peer, 4), NULL, in, MPI_INT, peer, 0, MPI_NO_OP, win);
    CALL(MPI_Compare_and_swap, label, both(peer, 4, 4), out, &compared, in, MPI_INT, peer, 0, win);
    CALL(MPI_Rput, label, put(peer, 28), out, 7, MPI_INT, peer, 0, 7, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Raccumulate, label, put(peer, 32), out, 8, MPI_INT, peer, 0, 8, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Rget, label, get(peer, 36), in, 9, MPI_INT, peer, 0, 9, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Rget_accumulate, label, both(peer, 40, 40), out, 10, MPI_INT, in, 10, MPI_INT, peer, 0, 10, MPI_INT,
         MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Put, label, nothing, out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    CALL(MPI_Get, label, nothing, in, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Type_free(&pairs);
}

static void use_locks(void)
{
    CALL(MPI_Win_lock_all, label, nothing, 0, win);
    use_each_call(right);
    CALL(MPI_Win_flush, label, nothing, right, win);
    CALL(MPI_Win_flush_local, label, nothing, right, win);
    use_each_call(rank);
    CALL(MPI_Win_flush_local_all, label, nothing, win);
    CALL(MPI_Win_flush_all, label, nothing, win);
    CALL(MPI_Win_sync, label, nothing, win);
    CALL(MPI_Win_unlock_all, label, nothing, win);
    CALL(MPI_Win_lock, label, nothing, MPI_LOCK_SHARED, left, 0, win);
    CALL(MPI_Get, label, get(left, 4), in, 1, MPI_INT, left, 0, 1, MPI_INT, win);
    CALL(MPI_Win_unlock, label, nothing, left, win);
}

static void use_fences(void)
{
    CALL(MPI_Win_fence, label, nothing, 0, win);
    CALL(MPI_Put, label, put(right, 12), out, 3, MPI_INT, right, 0, 3, MPI_INT, win);
    CALL(MPI_Win_fence, label, nothing, 0, win);
}

/* Each exposes its memory to the left neighbour and writes to the right one. */
static void use_general_synchronization(MPI_Comm comm)
{
    MPI_Group all, origin, target;
    int flag = 0;

    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, &left, &origin);
    MPI_Group_incl(all, 1, &right, &target);
    for (int times = 0; times < 2; ++times) {
        CALL(MPI_Win_post, label, nothing, origin, 0, win);
        CALL(MPI_Win_start, label, nothing, target, 0, win);
        CALL(MPI_Put, label, put(right, 16), out, 4, MPI_INT, right, 0, 4, MPI_INT, win);
        CALL(MPI_Win_complete, label, nothing, win);
        if (0 == times) {
            CALL(MPI_Win_wait, label, nothing, win);
        }
    }
    while (!flag) {
        CALL(MPI_Win_test, label, nothing, win, &flag);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
}

static void use_windows(MPI_Comm comm)
{
    int *base;

    CALL(MPI_Win_create, label, nothing, memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    use_locks();
    use_fences();
    use_general_synchronization(comm);
    CALL(MPI_Win_free, label, nothing, &win);

    CALL(MPI_Win_allocate, label, nothing, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    use_fences();
    CALL(MPI_Win_free, label, nothing, &win);

    CALL(MPI_Win_allocate_shared, label, nothing, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    use_locks();
    CALL(MPI_Win_free, label, nothing, &win);

    CALL(MPI_Win_create_dynamic, label, nothing, MPI_INFO_NULL, comm, &win);
    CALL(MPI_Win_fence, label, nothing, 0, win);
    CALL(MPI_Win_free, label, nothing, &win);
}

/* The window stays when its communicator goes. */
static void outlive(int is_registered)
{
    MPI_Comm comm;

    CALL(MPI_Comm_split, "MPI_COMM_WORLD", nothing, MPI_COMM_WORLD, 0, 0, &comm);
    if (is_registered) {
        trace_comm(comm, "freed", 1);
        label = "freed";
    } else {
        label = "-";
    }
    CALL(MPI_Win_create, label, nothing, memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Comm_free(&comm);
    use_fences();
    use_locks();
    CALL(MPI_Win_free, label, nothing, &win);
}

static void register_after(void)
{
    MPI_Comm comm;

    CALL(MPI_Comm_split, "MPI_COMM_WORLD", nothing, MPI_COMM_WORLD, 0, 0, &comm);
    label = "-";
    CALL(MPI_Win_create, label, nothing, memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    use_fences();
    trace_comm(comm, "late", 1);
    label = "late";
    use_fences();
    if (NULL != MPIX_Comm_unregister) {
        MPIX_Comm_unregister(comm);
    }
    label = "-";
    use_fences();
    CALL(MPI_Win_free, label, nothing, &win);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    trace_begin(argc, argv);
    label = "MPI_COMM_WORLD";
    use_windows(MPI_COMM_WORLD);
    outlive(1);
    outlive(0);
    register_after();
    return trace_end();
}
