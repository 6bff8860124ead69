/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: one-sided communication on every kind of window, also on those of communicators that
 * are freed before, that are registered after the window was made, or never.
 */
#include "test/mpi/profile/profile_program.h"

static int out[64], in[64], compared, memory[256];
static MPI_Win win;

static void use_each_call(int peer)
{
    MPI_Datatype pairs;
    MPI_Request request;

    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Put(out, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Put(out, 3, pairs, peer, 0, 6, MPI_INT, win);
    MPI_Accumulate(out, 2, MPI_INT, peer, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Get(in, 3, MPI_INT, peer, 0, 3, MPI_INT, win);
    MPI_Get_accumulate(out, 4, MPI_INT, in, 4, MPI_INT, peer, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, in, 5, MPI_INT, peer, 0, 5, MPI_INT, MPI_NO_OP, win);
    MPI_Fetch_and_op(out, in, MPI_INT, peer, 0, MPI_SUM, win);
    MPI_Fetch_and_op(NULL, in, MPI_INT, peer, 0, MPI_NO_OP, win);
    MPI_Compare_and_swap(out, &compared, in, MPI_INT, peer, 0, win);
    MPI_Rput(out, 7, MPI_INT, peer, 0, 7, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Raccumulate(out, 8, MPI_INT, peer, 0, 8, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget(in, 9, MPI_INT, peer, 0, 9, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget_accumulate(out, 10, MPI_INT, in, 10, MPI_INT, peer, 0, 10, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Put(out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Get(in, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Type_free(&pairs);
}

static void use_locks(void)
{
    MPI_Win_lock_all(0, win);
    use_each_call(right);
    MPI_Win_flush(right, win);
    MPI_Win_flush_local(right, win);
    use_each_call(rank);
    MPI_Win_flush_local_all(win);
    MPI_Win_flush_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
    MPI_Get(in, 1, MPI_INT, left, 0, 1, MPI_INT, win);
    MPI_Win_unlock(left, win);
}

static void use_fences(void)
{
    MPI_Win_fence(0, win);
    MPI_Put(out, 3, MPI_INT, right, 0, 3, MPI_INT, win);
    MPI_Win_fence(0, win);
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
        MPI_Win_post(origin, 0, win);
        MPI_Win_start(target, 0, win);
        MPI_Put(out, 4, MPI_INT, right, 0, 4, MPI_INT, win);
        MPI_Win_complete(win);
        if (0 == times) {
            MPI_Win_wait(win);
        }
    }
    while (!flag) {
        MPI_Win_test(win, &flag);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
}

static void use_windows(MPI_Comm comm)
{
    int *base;

    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    use_locks();
    use_fences();
    use_general_synchronization(comm);
    MPI_Win_free(&win);

    MPI_Win_allocate(sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    use_fences();
    MPI_Win_free(&win);

    MPI_Win_allocate_shared(sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    use_locks();
    MPI_Win_free(&win);

    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* The window stays when its communicator goes. */
static void outlive(void)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Comm_free(&comm);
    use_fences();
    use_locks();
    MPI_Win_free(&win);
}

static void name_after(void)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    use_fences();
    MPI_Comm_set_name(comm, "late");
    use_fences();
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    use_windows(MPI_COMM_WORLD);
    outlive();
    name_after();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
