/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collectives that do not block: their arguments, what they give, and how many of them are served.
 */
#ifndef TEST_MPI_COLL_NONBLOCKING_CALLS_H
#define TEST_MPI_COLL_NONBLOCKING_CALLS_H

#include <string.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "test/mpi/checks.h"
#include "test/mpi/coll/known_numbers.h"

enum {
    IBCAST,
    IREDUCE,
    IALLREDUCE,
    IBARRIER,
    IALLGATHER,
    IALLGATHERV,
    IREDUCE_SCATTER,
    IREDUCE_SCATTER_BLOCK,
    IALLTOALL,
    IALLTOALLV,
    IALLTOALLW,
    NUM_KINDS
};
static const char *const names[] = {"MPI_Ibcast",          "MPI_Ireduce",
                                    "MPI_Iallreduce",      "MPI_Ibarrier",
                                    "MPI_Iallgather",      "MPI_Iallgatherv",
                                    "MPI_Ireduce_scatter", "MPI_Ireduce_scatter_block",
                                    "MPI_Ialltoall",       "MPI_Ialltoallv",
                                    "MPI_Ialltoallw"};

/* ---- what is served ---- */

static MPI_Comm watched = MPI_COMM_NULL; /* MPI_COMM_NULL: all but MPI_COMM_WORLD, on which others are made */
static int num_served[NUM_KINDS], least_served[NUM_KINDS], most_served[NUM_KINDS];
static int num_persistent; /* likewise */

static inline int is_watched(struct ompi_communicator_t *comm)
{
    return MPI_COMM_NULL == watched ? inner(MPI_COMM_WORLD) != comm : inner(watched) == comm;
}

static inline void *count_served(struct ompi_communicator_t *comm, const char *function)
{
    for (int kind = 0; kind < NUM_KINDS; ++kind) {
        if (0 == strcmp(names[kind], function) && is_watched(comm)) {
            (void) __atomic_add_fetch(&num_served[kind], 1, __ATOMIC_RELAXED);
        }
    }
    num_persistent += NULL != strstr(function, "_init");
    return NULL;
}

static const hitopo_base_listener_t listener = {.serve = count_served};

/* unserved: NULL, or none may be. */
static inline void check_served(const char *unserved)
{
    const int is_unserved = NULL != unserved;

    for (int kind = 0; kind < NUM_KINDS; ++kind) {
        const int least = is_unserved ? 0 : least_served[kind], most = is_unserved ? 0 : most_served[kind];
        if (num_served[kind] < least || num_served[kind] > most) {
            fprintf(stderr, "%s: %d are served, of %d to %d\n", names[kind], num_served[kind], least, most);
        }
        CHECK(least <= num_served[kind] && num_served[kind] <= most);
        CHECK(0 < most || is_unserved);
    }
}

/* ---- one call ---- */

typedef struct {
    int kind, call, root, is_in_place;
    int is_sum;    /* MPI_SUM or the program's own; else MPI_MAX */
    int64_t count; /* of the message, or of each block */
    int64_t num_sent, num_received;
    int from_stride, stride; /* stride: of what is received */
    blocks_t blocks;
    int64_t *send, *receive;
    int send_counts[64], send_begins[64], counts[64], begins[64], end;
    int peer_begins[64]; /* where this rank's block is in what each rank sends */
    MPI_Datatype send_types[64], types[64];
} open_t;

static inline void add(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *num; ++i) {
        ((int64_t *) inout)[i] += ((int64_t *) in)[i];
    }
}

static inline void draw(open_t *open, int max_count)
{
    const int64_t count = below(4) == 0 ? below(4) : below(below(8) == 0 ? max_count : max_count / 20 + 1);

    *open = (open_t){.kind = below(NUM_KINDS), .call = call, .root = below(size), .is_sum = below(2)};
    open->is_in_place = below(3) == 0;
    open->count = open->kind == IBCAST || open->kind == IREDUCE || open->kind == IALLREDUCE ? count : count / size;
    if (open->kind == IALLGATHERV || open->kind == IREDUCE_SCATTER) {
        open->blocks = random_blocks(count, open->kind == IALLGATHERV ? 1 : 0);
    }
}

static inline int is_empty(const open_t *open)
{
    const int has_blocks = open->kind == IALLGATHERV || open->kind == IREDUCE_SCATTER;
    const int gap = open->kind == IALLGATHERV ? size : 0;

    return open->kind != IBARRIER && open->kind < IALLTOALLV
           && 0 == (has_blocks ? open->blocks.end - gap : open->count);
}

/* Blocks without anything, and what is in place and long, are left to others. */
static inline void note_served(const open_t *open, MPI_Comm comm)
{
    const int is_sure = open->kind < IALLTOALL || !open->is_in_place;

    if (is_watched(inner(comm)) && !is_empty(open)) {
        (void) __atomic_add_fetch(&most_served[open->kind], 1, __ATOMIC_RELAXED);
        (void) __atomic_add_fetch(&least_served[open->kind], is_sure ? 1 : 0, __ATOMIC_RELAXED);
    }
}

/* As check_alltoallv of collectives_check.c has them. */
static inline void lay_out_pairs(open_t *open, const element_t *from, const element_t *to)
{
    const int is_w = open->kind == IALLTOALLW;
    int send_end = 0;

    for (int i = 0; i < size; ++i) {
        const int lower = rank < i ? rank : i, higher = rank < i ? i : rank;
        open->send_counts[i] = pair_count(rank, i);
        open->counts[i] = open->is_in_place ? pair_count(lower, higher) : pair_count(i, rank);
        open->send_begins[i] = send_end * (is_w ? 8 * from->stride : 1);
        open->begins[i] = open->end * (is_w ? 8 * to->stride : 1);
        send_end += open->send_counts[i] + 1;
        open->end += open->counts[i] + 1;
        open->send_types[i] = from->type;
        open->types[i] = to->type;
        for (int j = 0; j < rank; ++j) {
            open->peer_begins[i] += pair_count(i, j) + 1;
        }
    }
    open->num_sent = send_end;
    open->num_received = open->end;
    open->send = room(send_end, from->stride);
    open->receive = room(open->end, to->stride);
    fill(open->send, send_end, from->stride);
    for (int i = 0, at = 0; i < size; at += open->counts[i++] + 1) {
        for (int j = 0; open->is_in_place && j < open->counts[i]; ++j) {
            open->receive[(at + j) * to->stride] = number(rank, call, i + j);
        }
    }
}

/* What this rank contributes to the call. */
static inline void put_in(open_t *open)
{
    const int is_gather = open->kind == IALLGATHER || open->kind == IALLGATHERV;

    fill(open->send, open->num_sent, open->from_stride);
    for (int64_t i = 0; i < open->num_received * open->stride; ++i) {
        open->receive[i] = -1;
    }
    if (open->kind == IBCAST ? rank == open->root : !is_gather && open->kind < IALLTOALLV) {
        fill(open->receive, open->num_received, open->stride);
    } else if (is_gather && open->is_in_place) {
        const int64_t begin = open->kind == IALLGATHER ? rank * open->count : open->blocks.begins[rank];
        fill(open->receive + begin * open->stride, open->num_sent, open->stride);
    }
}

static inline void lay_out(open_t *open, const element_t *from, const element_t *to)
{
    const int64_t all = open->count * size;

    open->from_stride = from->stride;
    open->stride = to->stride;
    open->num_sent = open->num_received = open->count;
    switch (open->kind) {
    case IALLGATHER:
        open->num_received = all;
        break;
    case IALLGATHERV:
        open->num_sent = open->blocks.counts[rank];
        open->num_received = open->blocks.end;
        break;
    case IREDUCE_SCATTER:
        open->num_sent = open->num_received = open->blocks.end;
        break;
    case IREDUCE_SCATTER_BLOCK:
    case IALLTOALL:
        open->num_sent = open->num_received = all;
        break;
    case IALLTOALLV:
    case IALLTOALLW:
        lay_out_pairs(open, from, to);
        return;
    }
    open->send = room(open->num_sent, from->stride);
    open->receive = room(open->num_received, to->stride);
    put_in(open);
}

static inline int is_reduction(int kind)
{
    return kind == IREDUCE || kind == IALLREDUCE || kind == IREDUCE_SCATTER || kind == IREDUCE_SCATTER_BLOCK;
}

typedef void call_t(open_t *open, const element_t *from, const element_t *to, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request);

static inline void call_nonblocking(open_t *open, const element_t *from, const element_t *to, MPI_Op op, MPI_Comm comm,
                                    MPI_Request *request)
{
    const int count = (int) open->count, is_root = rank == open->root;
    const void *send = open->is_in_place && (open->kind != IREDUCE || is_root) ? MPI_IN_PLACE : open->send;

    switch (open->kind) {
    case IBCAST:
        MPI_Ibcast(open->receive, count, to->type, open->root, comm, request);
        break;
    case IREDUCE:
        MPI_Ireduce(send, is_root ? open->receive : NULL, count, MPI_INT64_T, op, open->root, comm, request);
        break;
    case IALLREDUCE:
        MPI_Iallreduce(send, open->receive, count, MPI_INT64_T, op, comm, request);
        break;
    case IBARRIER:
        MPI_Ibarrier(comm, request);
        break;
    case IALLGATHER:
        MPI_Iallgather(send, count, from->type, open->receive, count, to->type, comm, request);
        break;
    case IALLGATHERV:
        MPI_Iallgatherv(send, open->blocks.counts[rank], from->type, open->receive, open->blocks.counts,
                        open->blocks.begins, to->type, comm, request);
        break;
    case IREDUCE_SCATTER:
        MPI_Ireduce_scatter(send, open->receive, open->blocks.counts, MPI_INT64_T, op, comm, request);
        break;
    case IREDUCE_SCATTER_BLOCK:
        MPI_Ireduce_scatter_block(send, open->receive, count, MPI_INT64_T, op, comm, request);
        break;
    case IALLTOALL:
        MPI_Ialltoall(send, count, from->type, open->receive, count, to->type, comm, request);
        break;
    case IALLTOALLV:
        MPI_Ialltoallv(send, open->send_counts, open->send_begins, from->type, open->receive, open->counts,
                       open->begins, to->type, comm, request);
        break;
    default:
        MPI_Ialltoallw(send, open->send_counts, open->send_begins, open->send_types, open->receive, open->counts,
                       open->begins, open->types, comm, request);
    }
}

/* Types and operation are freed at once: MPI keeps what it needs. has_one_type: what is sent and what is received are
 * of the same. */
static inline void start(open_t *open, MPI_Comm comm, call_t *call_it, int has_one_type, MPI_Request *request)
{
    const int may_stride = !is_reduction(open->kind);
    element_t to = element_of(may_stride && (rank + call) % 3 == 0),
              from = has_one_type ? to : element_of(may_stride && (rank + call) % 4 == 0);
    const int is_own = open->is_sum && below(2);
    MPI_Op op = open->is_sum ? MPI_SUM : MPI_MAX;

    if (is_own) {
        MPI_Op_create(add, 1, &op);
    }
    lay_out(open, &from, &to);
    call_it(open, &from, &to, op, comm, request);
    if (is_own) {
        MPI_Op_free(&op);
    }
    if (!has_one_type) {
        drop(&from);
    }
    drop(&to);
}

static inline void check_blocks(const open_t *open, const char *what)
{
    const int stride = open->stride;

    for (int from = 0; from < size; ++from) {
        const int begin = open->blocks.begins[from];
        for (int64_t i = 0; i < open->blocks.counts[from]; ++i) {
            expect(open->receive[(begin + i) * stride], number(from, call, i), what, i);
        }
        expect(open->receive[(begin + open->blocks.counts[from]) * stride], -1, "behind a block", from);
    }
    expect_gaps(open->receive, open->blocks.end, stride, what);
}

static inline void check_pairs(const open_t *open, const char *what)
{
    const int stride = open->stride;

    for (int i = 0, at = 0; i < size; at += open->counts[i++] + 1) {
        for (int j = 0; j < open->counts[i]; ++j) {
            expect(open->receive[(at + j) * stride],
                   number(i, call, open->is_in_place ? rank + j : open->peer_begins[i] + j), what, j);
        }
        expect(open->receive[(at + open->counts[i]) * stride], -1, "behind a block", i);
    }
    expect_gaps(open->receive, open->end, stride, what);
}

/* Once it is complete. */
static inline void check(open_t *open)
{
    const char *what = names[open->kind];
    const int64_t count = open->count;
    const int64_t *receive = open->receive;
    const int stride = open->stride;

    call = open->call;
    switch (open->kind) {
    case IBCAST:
        for (int64_t i = 0; i < count; ++i) {
            expect(receive[i * stride], number(open->root, call, i), what, i);
        }
        break;
    case IREDUCE:
    case IALLREDUCE:
        for (int64_t i = 0; i < count && (open->kind == IALLREDUCE || rank == open->root); ++i) {
            expect(receive[i], merged(size, call, i, open->is_sum), what, i);
        }
        break;
    case IALLGATHER:
        for (int64_t i = 0; i < count * size; ++i) {
            expect(receive[i * stride], number((int) (i / count), call, i % count), what, i);
        }
        break;
    case IALLGATHERV:
        check_blocks(open, what);
        break;
    case IREDUCE_SCATTER:
        for (int64_t i = 0; i < open->blocks.counts[rank]; ++i) {
            expect(receive[i], merged(size, call, open->blocks.begins[rank] + i, open->is_sum), what, i);
        }
        break;
    case IREDUCE_SCATTER_BLOCK:
        for (int64_t i = 0; i < count; ++i) {
            expect(receive[i], merged(size, call, rank * count + i, open->is_sum), what, i);
        }
        break;
    case IALLTOALL:
        for (int64_t i = 0; i < count * size; ++i) {
            expect(receive[i * stride], number((int) (i / count), call, rank * count + i % count), what, i);
        }
        break;
    case IALLTOALLV:
    case IALLTOALLW:
        check_pairs(open, what);
        break;
    }
}

static inline void release(open_t *open)
{
    free(open->send);
    free(open->receive);
    free(open);
}

/* ---- many at once ---- */

#define MOST_OPEN 24

typedef struct {
    int num;
    open_t *calls[MOST_OPEN]; /* whose arrays MPI may read until they are complete */
    MPI_Request requests[MOST_OPEN];
    uint64_t state; /* of what this rank alone draws */
} many_t;

static inline int below_of_own(many_t *many, int n)
{
    const uint64_t common = state;

    state = many->state;
    const int drawn = below(n);
    many->state = state;
    state = common;
    return drawn;
}

/* One that blocks, while others are under way. */
static inline void block(MPI_Comm comm, int max_count)
{
    const int64_t count = below(max_count);
    const int root = below(size);
    int64_t *from = room(count, 1), *to = room(count, 1);

    fill(from, count, 1);
    switch (below(3)) {
    case 0:
        MPI_Allreduce(from, to, (int) count, MPI_INT64_T, MPI_SUM, comm);
        for (int64_t i = 0; i < count; ++i) {
            expect(to[i], merged(size, call, i, 1), "MPI_Allreduce", i);
        }
        break;
    case 1:
        MPI_Bcast(rank == root ? from : to, (int) count, MPI_INT64_T, root, comm);
        for (int64_t i = 0; i < count; ++i) {
            expect((rank == root ? from : to)[i], number(root, call, i), "MPI_Bcast", i);
        }
        break;
    default:
        MPI_Barrier(comm);
    }
    free(from);
    free(to);
}

#endif
