/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: makes, names and frees communicators in all ways, and calls on them, as a seed says. recorder.c
 * writes down what happens, and profile_check.py works out what of it is in the profile.
 *
 *     profile_random SEED ROUNDS
 *
 * Communicators are in slots. A round takes one, in which each process has a communicator of its own, or none; those
 * that share one choose alike, since each round has a seed.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mpi/registry/weak_registry.h"

#define NUM_SLOTS 10
#define MAX_BYTES 40000 /* beyond an eager message */
#define MAX_RANKS 32

static MPI_Comm slots[NUM_SLOTS];
static char out[MAX_RANKS * MAX_BYTES], in[MAX_RANKS * MAX_BYTES], memory[MAX_BYTES];
static uint64_t state;
static MPI_Comm comm; /* this round's, with this process's rank and the number of those that it sends to */
static int rank, size, left, right, is_inter;

static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int) ((state >> 33) % (uint64_t) limit);
}

/* In bytes; those of a round differ by rank. */
static int length(void)
{
    static const int limits[] = {1, 2, 9, 300, 5000, MAX_BYTES / 3};
    return (1 + rank % 3) * below(limits[below(6)]);
}

/* ---- communicators ---- */

static void name(MPI_Comm made, int way)
{
    char text[32];

    snprintf(text, sizeof(text), "part-%d-of-%d", way, way % 2);
    if (way < 3) {
        MPI_Comm_set_name(made, text);
    } else if (way < 6 && NULL != MPIX_Comm_register) {
        MPIX_Comm_register(made, text);
        if (5 == way) {
            MPIX_Comm_unregister(made);
        }
    }
}

static void fill(int slot, MPI_Comm made, int way)
{
    if (MPI_COMM_NULL != slots[slot]) {
        (0 == way % 4 ? MPI_Comm_disconnect : MPI_Comm_free)(&slots[slot]);
    }
    slots[slot] = made;
    if (MPI_COMM_NULL != made) {
        name(made, way);
    }
}

static void join_halves(MPI_Comm made[3])
{
    const int cut = 1 + below(size - 1), is_high = rank >= cut;

    MPI_Comm_split(comm, is_high, 0, &made[0]);
    MPI_Intercomm_create(made[0], 0, comm, is_high ? 0 : cut, 7, &made[1]);
    if (0 == below(2)) {
        MPI_Intercomm_merge(made[1], is_high, &made[2]);
    }
}

static void make_topology(int way, MPI_Comm *made)
{
    const int has_two = 0 == below(2), periods[2] = {2 < size && !has_two && below(2), 0}, remain[2] = {1, 0}, one = 1;
    int dims[2] = {0, 0}, index[MAX_RANKS], edges[2 * MAX_RANKS], status;
    int *volatile unweighted = MPI_UNWEIGHTED; /* the compiler takes it for an array to read */

    MPI_Topo_test(comm, &status);
    if (MPI_CART == status) {
        MPI_Cart_sub(comm, remain, made);
    } else if (way < 2) {
        MPI_Dims_create(size, 1 + has_two, dims);
        MPI_Cart_create(comm, 1 + has_two, dims, periods, 0, made);
    } else if (2 == way && 2 < size) {
        for (int i = 0; i < size; ++i) {
            index[i] = 2 * (i + 1);
            edges[2 * i] = (i + 1) % size;
            edges[2 * i + 1] = (i + size - 1) % size;
        }
        MPI_Graph_create(comm, size, index, edges, 0, made);
    } else if (3 == way) {
        MPI_Dist_graph_create_adjacent(comm, 1, &left, unweighted, 1, &right, unweighted, MPI_INFO_NULL, 0, made);
    } else {
        MPI_Dist_graph_create(comm, 1, &rank, &one, &right, unweighted, MPI_INFO_NULL, 0, made);
    }
}

static void make_of_group(int is_local, MPI_Comm *made)
{
    int range[1][3] = {{0, below(size), 1 + below(2)}}, own;
    MPI_Group group, part;

    MPI_Comm_group(comm, &group);
    MPI_Group_range_incl(group, 1, range, &part);
    MPI_Group_rank(part, &own);
    if (!is_local) {
        MPI_Comm_create(comm, part, made);
    } else if (MPI_UNDEFINED != own) {
        MPI_Comm_create_group(comm, part, 3, made);
    }
    MPI_Group_free(&part);
    MPI_Group_free(&group);
}

static void copy(int way, MPI_Comm *made)
{
    MPI_Request request;

    if (0 == way) {
        MPI_Comm_dup(comm, made);
    } else if (is_inter) {
        MPI_Intercomm_merge(comm, 0, made);
    } else if (1 == way) {
        MPI_Comm_idup(comm, made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, made);
    }
}

static void make(int way, MPI_Comm made[3])
{
    const int choice = below(4);
    int topology;

    MPI_Topo_test(comm, &topology);
    if (MPI_UNDEFINED != topology && 7 <= way && way < 9) {
        return; /* Open MPI 4.1 gives these the topology of their parent */
    }
    if (way < 4 || is_inter) {
        copy(choice % 3, &made[0]);
    } else if (way < 6) {
        MPI_Comm_split(comm, 0 == choice && 0 == rank ? MPI_UNDEFINED : rank % (1 + choice), choice % 2 ? rank : -rank,
                       &made[0]);
    } else if (way < 7) {
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[0]);
    } else if (way < 9) {
        make_of_group(choice % 2, &made[0]);
    } else if (way < 11) {
        make_topology(below(5), &made[0]);
    } else if (2 <= size) {
        join_halves(made);
    }
}

/* ---- calls: each process sends to the right, also of two groups ---- */

static void wait_for(MPI_Request requests[2], int way)
{
    int flag = 0, index, num_done, indices[2];

    switch (way) {
    case 0:
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
    case 1:
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        break;
    case 3:
        for (int left_over = 2; 0 < left_over; left_over -= num_done) {
            MPI_Waitsome(2, requests, &num_done, indices, MPI_STATUSES_IGNORE);
        }
        break;
    case 4:
        while (!flag) {
            MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
        }
        break;
    case 5:
        for (index = 0; MPI_UNDEFINED != index;) {
            MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
            index = flag ? index : 0;
        }
        break;
    case 6:
        for (num_done = 0; MPI_UNDEFINED != num_done;) {
            MPI_Testsome(2, requests, &num_done, indices, MPI_STATUSES_IGNORE);
        }
        break;
    default:
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; ++i) {
            for (flag = 0; !flag;) {
                MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
            }
        }
    }
}

static void send_ring(int way)
{
    MPI_Request requests[2];
    MPI_Message message;
    const int mode = below(4), bytes = length();

    switch (way) {
    case 0:
        MPI_Irecv(in, MAX_BYTES, MPI_BYTE, left, 0, comm, &requests[0]);
        (0 == mode ? MPI_Issend : MPI_Isend)(out, bytes, MPI_BYTE, right, 0, comm, &requests[1]);
        wait_for(requests, below(8));
        break;
    case 1:
        MPI_Sendrecv(out, bytes / 4, MPI_INT, right, 0, in, MAX_BYTES, MPI_BYTE, left, 0, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(in, 200, MPI_SHORT, left, 1, right, 1, comm, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Send_init(out, bytes, MPI_BYTE, right, 0, comm, &requests[0]);
        MPI_Recv_init(in, MAX_BYTES, MPI_BYTE, left, 0, comm, &requests[1]);
        for (int i = 0; i <= mode; ++i) {
            MPI_Wait(&requests[i % 2], MPI_STATUS_IGNORE); /* inactive */
            if (0 == i % 2) {
                MPI_Startall(2, requests);
            } else {
                MPI_Start(&requests[0]);
                MPI_Start(&requests[1]);
            }
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
        break;
    case 3:
        MPI_Isend(out, bytes, MPI_BYTE, right, 0, comm, &requests[1]);
        MPI_Mprobe(left, 0, comm, &message, MPI_STATUS_IGNORE);
        if (mode < 2) {
            MPI_Mrecv(in, MAX_BYTES, MPI_BYTE, &message, MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        } else {
            MPI_Imrecv(in, MAX_BYTES, MPI_BYTE, &message, &requests[0]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        break;
    default:
        MPI_Irecv(in, MAX_BYTES, MPI_BYTE, left, 0, comm, &requests[0]);
        (0 == mode ? MPI_Ssend : MPI_Send)(out, bytes, MPI_BYTE, 1 == mode ? MPI_PROC_NULL : right, 0, comm);
        if (1 == mode) {
            MPI_Send(out, bytes, MPI_BYTE, right, 0, comm);
        }
        MPI_Irecv(in, 1, MPI_BYTE, MPI_PROC_NULL, 0, comm, &requests[1]);
        wait_for(requests, 0);
    }
}

/* Between groups all of one send to the other's rank 0, and those of the other back. */
static void send_across(void)
{
    MPI_Request requests[MAX_RANKS + 1];
    int local, count = 0;

    MPI_Comm_size(comm, &local);
    for (int i = 0; 0 == rank && i < size; ++i) {
        MPI_Irecv(in + i * MAX_BYTES, MAX_BYTES, MPI_BYTE, i, 0, comm, &requests[count++]);
    }
    MPI_Isend(out, length(), MPI_BYTE, 0, 0, comm, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void call_collectives(int way)
{
    const int root = is_inter ? 0 : below(size), bytes = below(3000);
    int counts[MAX_RANKS], places[MAX_RANKS];
    MPI_Request request;

    for (int i = 0; i < size && i < MAX_RANKS; ++i) {
        counts[i] = bytes / 4;
        places[i] = i * (bytes / 4);
    }
    switch (is_inter ? way % 4 : way) {
    case 0:
        MPI_Barrier(comm);
        MPI_Allreduce(out, in, bytes / 4, MPI_INT, MPI_MAX, comm);
        break;
    case 1:
        MPI_Iallreduce(out, in, bytes / 4, MPI_INT, MPI_MAX, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm);
        break;
    case 3:
        MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm);
        break;
    case 4:
        MPI_Bcast(out, bytes, MPI_BYTE, root, comm);
        MPI_Reduce(out, in, bytes / 2, MPI_SHORT, MPI_MAX, root, comm);
        break;
    case 5:
        MPI_Igatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 6:
        MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_MAX, comm);
        break;
    default:
        MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
        MPI_Exscan(out, in, bytes, MPI_BYTE, MPI_BOR, comm);
    }
}

static void call_neighbours(void)
{
    const int bytes = below(3000);
    int status;
    MPI_Request request;

    MPI_Topo_test(comm, &status);
    if (MPI_UNDEFINED != status) {
        MPI_Neighbor_alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm);
        MPI_Ineighbor_allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* The window outlives its communicator. */
static void use_window(int way)
{
    MPI_Comm copy;
    MPI_Win win;
    MPI_Request request;
    const int bytes = length();

    MPI_Comm_dup(comm, &copy);
    MPI_Win_create(memory, MAX_BYTES, 1, MPI_INFO_NULL, copy, &win);
    MPI_Comm_free(&copy);
    if (0 == way) {
        MPI_Win_fence(0, win);
        MPI_Put(out, bytes, MPI_BYTE, right, 0, bytes, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        MPI_Get(in, bytes, MPI_BYTE, left, 0, bytes, MPI_BYTE, win);
    } else {
        MPI_Win_lock_all(0, win);
        MPI_Rput(out, bytes, MPI_BYTE, right, 0, bytes, MPI_BYTE, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Get_accumulate(out, 5, MPI_INT, in, 5, MPI_INT, left, 0, 5, MPI_INT, 1 == way ? MPI_SUM : MPI_NO_OP, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void use(int way)
{
    if (way < 2) {
        call_collectives(below(8));
    } else if (is_inter) {
        send_across();
    } else if (way < 3) {
        use_window(below(3));
    } else if (way < 5) {
        call_neighbours();
    } else {
        send_ring(below(5));
    }
}

/* ---- rounds ---- */

static void play(uint64_t seed)
{
    MPI_Comm made[3] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};

    state = seed;
    (void) below(1);
    const int slot = below(NUM_SLOTS + 4), is_making = below(2), way = below(13), first = below(NUM_SLOTS),
              naming = below(12);
    comm = slot < NUM_SLOTS ? slots[slot] : slot < NUM_SLOTS + 3 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    if (MPI_COMM_NULL != comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_test_inter(comm, &is_inter);
        (is_inter ? MPI_Comm_remote_size : MPI_Comm_size)(comm, &size);
        left = (rank + size - 1) % size;
        right = (rank + 1) % size;
        if (is_making) {
            make(way, made);
        } else {
            use(way);
        }
    }
    for (int i = 0; is_making && i < (way < 11 ? 1 : 3); ++i) {
        fill((first + i) % NUM_SLOTS, made[i], naming + i);
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = 1 < argc ? (uint64_t) atol(argv[1]) : 0;
    const int rounds = 2 < argc ? atoi(argv[2]) : 100;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < NUM_SLOTS; ++i) {
        slots[i] = MPI_COMM_NULL;
    }
    for (int i = 0; i < rounds; ++i) {
        play(seed * 1000003 + (uint64_t) i * 97);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
