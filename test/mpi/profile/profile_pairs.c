/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_pairs.sh: four processes that send on registered and other communicators what the script has worked
 * out by hand.
 */
#include <mpi.h>

static char out[4096], in[4096];
static int rank;

/* `bytes` from one process of MPI_COMM_WORLD to another, by their ranks there and in comm. */
static void send(MPI_Comm comm, int from, int to, int from_in, int to_in, int bytes)
{
    if (rank == from) {
        MPI_Send(out, bytes, MPI_BYTE, to_in, 0, comm);
    }
    if (rank == to) {
        MPI_Recv(in, bytes, MPI_BYTE, from_in, 0, comm, MPI_STATUS_IGNORE);
    }
}

static void use_others(void)
{
    MPI_Comm copy, reversed, half, bridge;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    send(copy, 0, 1, 0, 1, 100);
    MPI_Bcast(in, 1000, MPI_BYTE, 0, copy);
    MPI_Pcontrol(0);
    send(copy, 0, 1, 0, 1, 11);
    MPI_Pcontrol(1);
    MPI_Comm_free(&copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    send(reversed, 0, 3, 3, 0, 28);
    MPI_Comm_free(&reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2 - rank / 2 * 2, 0, &bridge);
    send(bridge, 1, 2, 1, 0, 33);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
}

static void use_neighbours(void)
{
    static const int square_of[] = {2, 2}, open[] = {0, 0}, ring_of[] = {4}, closed[] = {1};
    const int counts[] = {1, 5}, from[] = {5, 1}, places[] = {0, 8};
    const int numbers[] = {0, 2}, numbers_from[] = {2, 0};
    const MPI_Aint distances[] = {0, 64};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Comm square, ring;

    MPI_Cart_create(MPI_COMM_WORLD, 2, square_of, open, 0, &square);
    MPI_Neighbor_alltoall(out, 10, MPI_BYTE, in, 10, MPI_BYTE, square);
    MPI_Comm_free(&square);
    MPI_Cart_create(MPI_COMM_WORLD, 1, ring_of, closed, 0, &ring);
    MPI_Neighbor_allgather(out, 3, MPI_BYTE, in, 3, MPI_BYTE, ring);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_BYTE, in, from, places, MPI_BYTE, ring);
    MPI_Neighbor_alltoallw(out, numbers, distances, types, in, numbers_from, distances, types, ring);
    MPI_Comm_free(&ring);
}

/* The window outlives its communicator. */
static void use_window(void)
{
    MPI_Comm copy;
    MPI_Win win;
    static char memory[256];

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_create(memory, sizeof(memory), 1, MPI_INFO_NULL, copy, &win);
    MPI_Comm_free(&copy);
    MPI_Win_fence(0, win);
    if (2 == rank) {
        MPI_Put(out, 40, MPI_BYTE, 3, 0, 40, MPI_BYTE, win);
    }
    if (3 == rank) {
        MPI_Get(in, 16, MPI_BYTE, 0, 0, 16, MPI_BYTE, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void use_requests(void)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (1 == rank) {
        MPI_Send_init(out, 50, MPI_BYTE, 2, 0, copy, &request);
    }
    for (int i = 0; i < 3; ++i) {
        if (1 == rank) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (2 == rank) {
            MPI_Recv(in, 50, MPI_BYTE, 1, 0, copy, MPI_STATUS_IGNORE);
        }
    }
    if (1 == rank) {
        MPI_Request_free(&request);
    }
    if (2 == rank) {
        MPI_Isend(out, 9, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
        MPI_Recv(in, 9, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&copy);
}

static void use_child(char *program)
{
    MPI_Comm child;

    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    if (0 == rank) {
        MPI_Send(out, 5, MPI_BYTE, 0, 0, child);
    }
    MPI_Comm_disconnect(&child);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_COMM_NULL == parent) {
        use_others();
        use_neighbours();
        use_window();
        use_requests();
        send(MPI_COMM_WORLD, 3, 0, 3, 0, 70);
        use_child(argv[0]);
    } else {
        MPI_Recv(in, 5, MPI_BYTE, 0, 0, parent, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
