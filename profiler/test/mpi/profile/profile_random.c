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
#include <limits.h>
#include <stdint.h>

#include "profiler/test/mpi/profile/profile_program.h"

#define NUM_SLOTS 10
#define MAX_BYTES 40000 /* beyond an eager message */
#define MAX_RANKS 32

static MPI_Comm slots[NUM_SLOTS];
static char room[16 << 20], memory[MAX_BYTES];
static int out[MAX_RANKS * MAX_BYTES / 4], in[MAX_RANKS * MAX_BYTES / 4], counts[MAX_RANKS], places[MAX_RANKS];
static MPI_Aint wide_places[MAX_RANKS];
static MPI_Datatype ints[MAX_RANKS], pairs;
static uint64_t state;
static MPI_Comm comm; /* this round's, whose size is the number of those that it sends to */
static int is_inter;

static int below(int limit)
{
    uint64_t mixed = state += 0x9e3779b97f4a7c15u; /* splitmix64 */

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (int) ((mixed ^ mixed >> 31) % (uint64_t) limit);
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
    const int lefts[2] = {left, left}, rights[2] = {right, right};
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
        MPI_Dist_graph_create_adjacent(comm, 2, lefts, unweighted, 2, rights, unweighted, MPI_INFO_NULL, 0, made);
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

static int (*const sends[])(const void *, int, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send, MPI_Ssend, MPI_Bsend,
                                                                                    MPI_Rsend};
static int (*const starts[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                             MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
static int (*const inits[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                            MPI_Request *) = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};

static void receive_probed(int way, MPI_Request *request)
{
    MPI_Message message;
    int flag = 0;

    *request = MPI_REQUEST_NULL;
    if (0 == way) {
        MPI_Probe(left, 0, comm, MPI_STATUS_IGNORE);
    }
    while (1 == way && !flag) {
        MPI_Iprobe(left, 0, comm, &flag, MPI_STATUS_IGNORE);
    }
    if (way < 2) {
        MPI_Recv(in, MAX_BYTES, MPI_BYTE, left, 0, comm, MPI_STATUS_IGNORE);
        return;
    }
    if (2 == way) {
        MPI_Mprobe(left, 0, comm, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, MAX_BYTES, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        return;
    }
    while (!flag) {
        MPI_Improbe(left, 0, comm, &flag, &message, MPI_STATUS_IGNORE);
    }
    MPI_Imrecv(in, MAX_BYTES, MPI_BYTE, &message, request);
}

static void send_ring(int way)
{
    const MPI_Datatype types[] = {MPI_BYTE, MPI_INT, pairs}, type = types[below(3)];
    const int mode = below(4), count = length() / (MPI_BYTE == type ? 1 : 12),
              dest = 0 == below(5) ? MPI_PROC_NULL : right;
    MPI_Request requests[2];

    switch (way) {
    case 0:
    case 1: /* sends of all modes: who receives is ready */
        MPI_Irecv(in, MAX_BYTES, MPI_BYTE, MPI_PROC_NULL == dest ? dest : left, 0, comm, &requests[0]);
        MPI_Barrier(comm);
        if (0 == way) {
            sends[mode](out, count, type, dest, 0, comm);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        } else {
            starts[mode](out, count, type, dest, 0, comm, &requests[1]);
            wait_for(requests, below(8));
        }
        break;
    case 2:
        MPI_Sendrecv(out, count, type, right, 0, in, MAX_BYTES, MPI_BYTE, left, 0, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(in, 200, MPI_SHORT, left, 1, right, 1, comm, MPI_STATUS_IGNORE);
        break;
    case 3:
        inits[mode](out, count, type, dest, 0, comm, &requests[1]);
        MPI_Recv_init(in, MAX_BYTES, MPI_BYTE, MPI_PROC_NULL == dest ? dest : left, 0, comm, &requests[0]);
        for (int i = 0; i <= mode; ++i) {
            MPI_Wait(&requests[i % 2], MPI_STATUS_IGNORE); /* not active */
            MPI_Start(&requests[0]);
            MPI_Barrier(comm);
            MPI_Start(&requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        if (3 != mode) {
            MPI_Startall(2, requests);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
        break;
    default:
        MPI_Isend(out, count, type, right, 0, comm, &requests[1]);
        receive_probed(below(4), &requests[0]);
        wait_for(requests, below(2));
    }
}

/* Between groups all of one send to the other's rank 0, and those of the other back. */
static void send_across(void)
{
    MPI_Request requests[MAX_RANKS + 1];
    int local, count = 0;

    MPI_Comm_size(comm, &local);
    for (int i = 0; 0 == rank && i < size; ++i) {
        MPI_Irecv(in + i * (MAX_BYTES / 4), MAX_BYTES, MPI_BYTE, i, 0, comm, &requests[count++]);
    }
    MPI_Isend(out, length(), MPI_BYTE, 0, 0, comm, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* The root is in the group that has the least rank in MPI_COMM_WORLD. */
static int choose_root(void)
{
    MPI_Group groups[2], world;
    int least[2];

    if (!is_inter) {
        return below(size);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &groups[0]);
    MPI_Comm_remote_group(comm, &groups[1]);
    for (int i = 0; i < 2; ++i) {
        int count;
        MPI_Group_size(groups[i], &count);
        least[i] = INT_MAX;
        for (int r = 0, found; r < count; ++r) {
            MPI_Group_translate_ranks(groups[i], 1, &r, world, &found);
            least[i] = found < least[i] ? found : least[i];
        }
        MPI_Group_free(&groups[i]);
    }
    MPI_Group_free(&world);
    return least[0] > least[1] ? 0 : 0 == rank ? MPI_ROOT : MPI_PROC_NULL;
}

/* Rank a gives to rank b as much as b to a. */
static void call_collectives(int way)
{
    const int root = choose_root(), count = below(700), part = is_inter ? count % 20 * size : count,
              own = rank % 3 * count;
    const void *const from = is_inter || below(2) ? out : MPI_IN_PLACE;

    for (int i = 0; i < MAX_RANKS; ++i) {
        counts[i] = 6 == way || 7 == way ? (rank + i) % 3 * count : 8 == way ? part : i % 3 * count;
        places[i] = 4 * i * 2 * count / (7 == way ? 1 : 4);
    }
    switch (way) {
    case 0:
        BOTH(MPI_Barrier, MPI_Ibarrier, comm);
        BOTH(MPI_Bcast, MPI_Ibcast, out, count, MPI_INT, root, comm);
        break;
    case 1:
        BOTH(MPI_Gather, MPI_Igather, out, count, MPI_INT, in, count, MPI_INT, root, comm);
        BOTH(MPI_Scatter, MPI_Iscatter, out, count, MPI_INT, in, count, MPI_INT, root, comm);
        break;
    case 2:
        BOTH(MPI_Gatherv, MPI_Igatherv, out, own, MPI_INT, in, counts, places, MPI_INT, root, comm);
        BOTH(MPI_Scatterv, MPI_Iscatterv, out, counts, places, MPI_INT, in, own, MPI_INT, root, comm);
        break;
    case 3:
        BOTH(MPI_Allgather, MPI_Iallgather, from, count, MPI_INT, in, count, MPI_INT, comm);
        BOTH(MPI_Allgatherv, MPI_Iallgatherv, from, own, MPI_INT, in, counts, places, MPI_INT, comm);
        break;
    case 4:
        BOTH(MPI_Allreduce, MPI_Iallreduce, from, in, count, MPI_INT, MPI_MAX, comm);
        BOTH(MPI_Reduce, MPI_Ireduce, out, in, count, MPI_DOUBLE_INT, MPI_MINLOC, root, comm);
        break;
    case 5:
        BOTH(MPI_Alltoall, MPI_Ialltoall, out, count, MPI_INT, in, count, MPI_INT, comm);
        MPI_Alltoall(from, count, MPI_INT, in, count, MPI_INT, comm);
        break;
    case 6:
        BOTH(MPI_Alltoallv, MPI_Ialltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
        MPI_Alltoallv(from, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
        break;
    case 7:
        BOTH(MPI_Alltoallw, MPI_Ialltoallw, out, counts, places, ints, in, counts, places, ints, comm);
        break;
    case 8:
        BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, from, in, counts, MPI_INT, MPI_MAX, comm);
        BOTH(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, from, in, part, MPI_INT, MPI_MAX, comm);
        break;
    default:
        if (!is_inter) {
            BOTH(MPI_Scan, MPI_Iscan, from, in, count, MPI_INT, MPI_MAX, comm);
            BOTH(MPI_Exscan, MPI_Iexscan, from, in, count, MPI_INT, MPI_MAX, comm);
        }
    }
}

static void call_neighbours(void)
{
    const int count = below(300);
    int topology;

    MPI_Topo_test(comm, &topology);
    for (int i = 0; i < MAX_RANKS; ++i) {
        counts[i] = count;
        places[i] = i * count;
        wide_places[i] = 4 * i * count;
    }
    if (MPI_UNDEFINED != topology) {
        BOTH(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, count, MPI_INT, in, count, MPI_INT, comm);
        BOTH(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, count, MPI_INT, in, counts, places, MPI_INT, comm);
        BOTH(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, count, MPI_INT, in, count, MPI_INT, comm);
        BOTH(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT,
             comm);
        BOTH(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts, wide_places, ints, in, counts, wide_places,
             ints, comm);
    }
}

/* To one process, all in a row. */
static void put_and_get(MPI_Win win, int to, int has_requests)
{
    const int count = length() / 8;
    int compared = 0;
    MPI_Request request;

    MPI_Put(out, count, MPI_INT, to, 0, count, MPI_INT, win);
    MPI_Get(in, count, MPI_INT, to, 0, count, MPI_INT, win);
    MPI_Accumulate(out, count, MPI_INT, to, 0, count, MPI_INT, MPI_SUM, win);
    MPI_Get_accumulate(out, 4, MPI_INT, in, 4, MPI_INT, to, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, in, 5, MPI_INT, to, 0, 5, MPI_INT, MPI_NO_OP, win);
    MPI_Fetch_and_op(out, in, MPI_INT, to, 0, MPI_SUM, win);
    MPI_Fetch_and_op(NULL, in, MPI_INT, to, 0, MPI_NO_OP, win);
    MPI_Compare_and_swap(out, &compared, in, MPI_INT, to, 0, win);
    if (has_requests) {
        MPI_Rput(out, count, MPI_INT, to, 0, count, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Rget(in, 1, pairs, to, 0, 3, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Raccumulate(out, 8, MPI_INT, to, 0, 8, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Rget_accumulate(out, 9, MPI_INT, in, 9, MPI_INT, to, 0, 9, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void expose_left(MPI_Win win)
{
    MPI_Group all, origin, target;
    int flag = 0;

    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, &left, &origin);
    MPI_Group_incl(all, 1, &right, &target);
    for (int times = 0; times < 2; ++times) {
        MPI_Win_post(origin, 0, win);
        MPI_Win_start(target, 0, win);
        put_and_get(win, right, 0);
        MPI_Win_complete(win);
        if (0 == times) {
            MPI_Win_wait(win);
        }
        while (0 < times && !flag) {
            MPI_Win_test(win, &flag);
        }
    }
    MPI_Group_free(&all);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
}

/* Alike at all processes of it. */
static int is_on_one_node(MPI_Comm whole)
{
    MPI_Comm node;
    int num_near;

    MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &num_near);
    MPI_Comm_free(&node);
    return num_near == size;
}

/* The window outlives its communicator. */
static void use_window(int way)
{
    MPI_Comm copy;
    MPI_Win win;
    void *base;
    const int to = 0 == below(4) ? MPI_PROC_NULL : right;
    int made_by = below(4);

    MPI_Comm_dup(comm, &copy);
    if (2 == made_by && !is_on_one_node(copy)) {
        made_by = 1;
    }
    switch (made_by) {
    case 0:
        MPI_Win_create_dynamic(MPI_INFO_NULL, copy, &win);
        way = 4;
        break;
    case 1:
        MPI_Win_allocate(MAX_BYTES, 1, MPI_INFO_NULL, copy, &base, &win);
        break;
    case 2:
        MPI_Win_allocate_shared(MAX_BYTES, 1, MPI_INFO_NULL, copy, &base, &win);
        way %= 3;
        break;
    default:
        MPI_Win_create(memory, MAX_BYTES, 1, MPI_INFO_NULL, copy, &win);
    }
    MPI_Comm_free(&copy);
    MPI_Win_fence(0, win);
    if (0 == way) {
        put_and_get(win, to, 0);
    } else if (1 == way) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_lock_all(0, win);
        put_and_get(win, to, 1);
        MPI_Win_flush(right, win);
        MPI_Win_flush_local(right, win);
        MPI_Win_flush_all(win);
        MPI_Win_flush_local_all(win);
        MPI_Win_sync(win);
        MPI_Win_unlock_all(win);
    } else if (2 == way) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
        put_and_get(win, right, 1);
        MPI_Win_unlock(right, win);
    } else if (3 == way) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        expose_left(win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void use(int way)
{
    if (way < 2) {
        call_collectives(below(10));
    } else if (is_inter) {
        send_across();
    } else if (way < 4) {
        use_window(below(4));
    } else if (way < 6) {
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
    const int slot = below(NUM_SLOTS + 4), is_making = below(2), way = below(13), first = below(NUM_SLOTS),
              naming = below(12);
    comm = slot < NUM_SLOTS ? slots[slot] : slot < NUM_SLOTS + 3 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    if (MPI_COMM_NULL != comm) {
        find_ring(comm);
        MPI_Comm_test_inter(comm, &is_inter);
        if (is_inter) {
            MPI_Comm_remote_size(comm, &size);
        }
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

    void *detached;
    int bytes;

    begin(&argc, &argv);
    MPI_Buffer_attach(room, sizeof(room));
    MPI_Type_vector(3, 1, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    for (int i = 0; i < NUM_SLOTS; ++i) {
        slots[i] = MPI_COMM_NULL;
    }
    for (int i = 0; i < MAX_RANKS; ++i) {
        ints[i] = MPI_INT;
    }
    for (int i = 0; i < rounds; ++i) {
        play(seed * 1000003 + (uint64_t) i * 97);
    }
    MPI_Type_free(&pairs);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
