/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks whose lengths only their sender and receiver know: MPI_Alltoallv, MPI_Alltoallw, and their nonblocking and
 * persistent forms.
 * Each process has a cell of one size for each other one. Cells travel in bundles, a short block in its cell; the cell
 * of a long block announces that it follows directly.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <string.h>

#include "mpi.h"

#include "ompi/constants.h"

/* A cell begins with it: the bytes of its block, or IS_DIRECT. */
typedef uint32_t head_t;
#define IS_DIRECT UINT32_MAX

/* A process's messages to all others, or from them: the caller's arrays. */
typedef struct {
    const void *base;
    hitopo_coll_counts_t counts;
    hitopo_coll_displacements_t displacements; /* elements; bytes of MPI_Alltoallw */
    ompi_datatype_t *type;
    ompi_datatype_t *const *types; /* of each block; NULL: `type` */
} side_t;

/* One block of a side. */
typedef struct {
    char *at;
    hitopo_coll_count_t count;
    ompi_datatype_t *type;
    size_t num_bytes;
} pair_t;

static pair_t pair_of(const side_t *side, int rank)
{
    const ptrdiff_t displacement = HITOPO_COLL_DISPLACEMENT(side->displacements, rank);
    pair_t pair = {.count = (hitopo_coll_count_t) HITOPO_COLL_COUNT(side->counts, rank),
                   .type = NULL == side->types ? side->type : side->types[rank]};

    if (0 < pair.count) { /* else the type may be anything */
        pair.num_bytes = hitopo_coll_bytes_in(pair.type, (size_t) pair.count);
        pair.at = NULL == side->types ? hitopo_coll_element(side->base, displacement, pair.type)
                                      : hitopo_coll_byte(side->base, (size_t) displacement);
    }
    return pair;
}

static int put_in_cell(const pair_t *pair, char *cell, size_t cell_bytes)
{
    const size_t room = cell_bytes - sizeof(head_t);
    const head_t head = pair->num_bytes > room ? IS_DIRECT : (head_t) pair->num_bytes;

    memcpy(cell, &head, sizeof(head));
    return 0 == head || IS_DIRECT == head ? OMPI_SUCCESS
                                          : ompi_datatype_sndrcv(pair->at, pair->count, pair->type, cell + sizeof(head),
                                                                 (int32_t) head, MPI_PACKED);
}

static head_t head_of(const char *cell)
{
    head_t head;

    memcpy(&head, cell, sizeof(head));
    return head;
}

/* MPI_ERR_TRUNCATE where more was sent than is received. */
static int take_from_cell(const pair_t *pair, const char *cell)
{
    const head_t head = head_of(cell);

    if (0 == head || IS_DIRECT == head) {
        return OMPI_SUCCESS;
    }
    return 0 == pair->count ? MPI_ERR_TRUNCATE
                            : ompi_datatype_sndrcv(cell + sizeof(head), (int32_t) head, MPI_PACKED, pair->at,
                                                   pair->count, pair->type);
}

/* A call keeps it. Arrays have an entry for each rank to receive from, then one for each to send to. */
typedef struct {
    int size; /* of the communicator */
    size_t cell_bytes;
    int num_open;      /* of `requests` */
    bool has_posted;   /* them all */
    bool is_truncated; /* one was */
    pair_t *pairs;
    int rc;                  /* of the blocks that are sent directly */
    ompi_datatype_t **types; /* NULL: of an empty block */
    void **requests;         /* MPI_REQUEST_NULL: there is none */
    size_t *bytes;           /* of each that is done */
    int *done;
    char *cells;
} exchange_t;

static exchange_t *new_exchange(hitopo_coll_call_t *call, const side_t *in, const side_t *out, size_t cell_bytes)
{
    const int size = ompi_comm_size(call->comm);
    const size_t num = 2 * (size_t) size;
    const size_t num_bytes = sizeof(exchange_t)
                             + num
                                   * (sizeof(pair_t) + sizeof(ompi_datatype_t *) + sizeof(void *) + sizeof(size_t)
                                      + sizeof(int) + cell_bytes);
    exchange_t *exchange = hitopo_coll_take_memory(call, num_bytes);

    memset(exchange, 0, num_bytes);
    exchange->size = size;
    exchange->cell_bytes = cell_bytes;
    exchange->pairs = (pair_t *) (exchange + 1);
    exchange->types = (ompi_datatype_t **) (exchange->pairs + num);
    exchange->requests = (void **) (exchange->types + num);
    exchange->bytes = (size_t *) (exchange->requests + num);
    exchange->done = (int *) (exchange->bytes + num);
    exchange->cells = (char *) (exchange->done + num);
    for (int rank = 0; rank < size; ++rank) {
        exchange->pairs[rank] = pair_of(in, rank);
        exchange->pairs[size + rank] = pair_of(out, rank);
    }
    for (size_t i = 0; i < num; ++i) {
        exchange->types[i] = 0 < exchange->pairs[i].count ? exchange->pairs[i].type : NULL;
    }
    return exchange;
}

static char *cell_at(const exchange_t *exchange, int i)
{
    return exchange->cells + (size_t) i * exchange->cell_bytes;
}

/* Posts the blocks that go directly: those that this process's cells and the received cells announce. */
static void post_directly(hitopo_coll_call_t *call, exchange_t *exchange)
{
    int rc = OMPI_SUCCESS;

    exchange->has_posted = true;
    for (int i = 0; i < 2 * exchange->size; ++i) {
        const bool is_send = i >= exchange->size;
        const int rank = is_send ? i - exchange->size : i;
        const pair_t *pair = &exchange->pairs[i];
        exchange->requests[i] = MPI_REQUEST_NULL;
        if (OMPI_SUCCESS == rc && IS_DIRECT == head_of(cell_at(exchange, i))) {
            void **request = &exchange->requests[i];
            call->type = 0 < pair->count ? pair->type : &ompi_mpi_byte.dt;
            rc = is_send ? hitopo_coll_send(&call->messages, pair->at, (size_t) pair->count, rank, 1, false, request)
                         : hitopo_coll_receive(&call->messages, pair->at, (size_t) pair->count, rank, 1, request);
            exchange->num_open += OMPI_SUCCESS == rc ? 1 : 0;
        }
    }
    call->type = &ompi_mpi_byte.dt;
    exchange->rc = rc;
}

/* Ends open messages after an error. */
static int take_directly(hitopo_coll_call_t *call, exchange_t *exchange)
{
    const int num = 2 * exchange->size;
    int num_done = 1;
    bool is_pending = false;

    while (OMPI_SUCCESS == exchange->rc && 0 < num_done && 0 < exchange->num_open) {
        exchange->rc =
            hitopo_coll_take_some(&call->messages, num, exchange->requests, &num_done, exchange->done, exchange->bytes);
        exchange->num_open -= num_done;
        for (int i = 0; i < num_done; ++i) {
            exchange->is_truncated = exchange->is_truncated || HITOPO_COLL_TOO_LONG == exchange->bytes[i];
        }
    }
    if (OMPI_SUCCESS == exchange->rc) {
        return 0 < exchange->num_open ? HITOPO_COLL_PENDING : OMPI_SUCCESS;
    }
    for (int i = 0; i < num; ++i) {
        if (MPI_REQUEST_NULL != exchange->requests[i]) {
            const int abandoned = hitopo_coll_abandon(&call->messages, exchange->requests[i], i >= exchange->size);
            is_pending = is_pending || HITOPO_COLL_PENDING == abandoned;
            exchange->requests[i] = HITOPO_COLL_PENDING == abandoned ? exchange->requests[i] : MPI_REQUEST_NULL;
        }
    }
    return is_pending ? HITOPO_COLL_PENDING : exchange->rc;
}

/* The own block goes nowhere. */
static int copy_own(const pair_t *from, const pair_t *to)
{
    return 0 < from->num_bytes + to->num_bytes
               ? ompi_datatype_sndrcv(from->at, from->count, 0 < from->count ? from->type : &ompi_mpi_byte.dt, to->at,
                                      to->count, 0 < to->count ? to->type : &ompi_mpi_byte.dt)
               : OMPI_SUCCESS;
}

/* Called before the cells. */
static int fill_cells(hitopo_coll_call_t *call)
{
    exchange_t *exchange = call->memory;
    const int size = exchange->size;
    int rc = OMPI_SUCCESS;

    exchange->num_open = 0;
    exchange->has_posted = exchange->is_truncated = false;
    for (int rank = 0; rank < size; ++rank) {
        if (rank != ompi_comm_rank(call->comm)) { /* zeros are an empty one */
            const int error =
                put_in_cell(&exchange->pairs[size + rank], cell_at(exchange, size + rank), exchange->cell_bytes);
            rc = OMPI_SUCCESS == rc ? error : rc;
        }
    }
    return rc;
}

/* Called after the cells. */
static int follow(hitopo_coll_call_t *call)
{
    exchange_t *exchange = call->memory;
    const int size = exchange->size, own = ompi_comm_rank(call->comm);

    if (!exchange->has_posted) {
        post_directly(call, exchange);
    }
    int rc = take_directly(call, exchange);
    if (HITOPO_COLL_PENDING == rc) {
        return rc;
    }
    rc = OMPI_SUCCESS == rc && exchange->is_truncated ? MPI_ERR_TRUNCATE : rc;
    for (int rank = 0; OMPI_SUCCESS == rc && rank < size; ++rank) {
        rc = take_from_cell(&exchange->pairs[rank], cell_at(exchange, rank));
    }
    return OMPI_SUCCESS == rc ? copy_own(&exchange->pairs[size + own], &exchange->pairs[own]) : rc;
}

/* In place, each block would have to be copied before: the next component does it. */
static int exchange_pairs(const hitopo_coll_entry_t *entry, const side_t *out, const side_t *in)
{
    const int size = ompi_comm_size(entry->comm);
    const size_t cell_bytes = hitopo_coll_cell_bytes(size);
    hitopo_coll_t *coll =
        MPI_IN_PLACE == out->base || 0 == cell_bytes ? NULL : hitopo_coll_server(entry, HITOPO_COLL_ALLTOALLV, 1);
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    exchange_t *exchange = new_exchange(call, in, out, cell_bytes);
    call->types = exchange->types;
    call->num_types = 2 * size;
    call->prepare = fill_cells;
    call->follow = follow;
    hitopo_coll_prepare(call);
    const hitopo_coll_arguments_t cells = {.kind = HITOPO_COLL_ALLTOALLV,
                                           .input = cell_at(exchange, size),
                                           .output = exchange->cells,
                                           .count = cell_bytes};
    return hitopo_coll_serve(entry, coll, call, &cells);
}

static int alltoallv(const void *send, hitopo_coll_counts_t send_counts, hitopo_coll_displacements_t send_displacements,
                     ompi_datatype_t *send_type, void *recv, hitopo_coll_counts_t recv_counts,
                     hitopo_coll_displacements_t recv_displacements, ompi_datatype_t *recv_type,
                     const hitopo_coll_entry_t *entry)
{
    return exchange_pairs(entry, &(side_t){send, send_counts, send_displacements, send_type, NULL},
                          &(side_t){recv, recv_counts, recv_displacements, recv_type, NULL});
}

HITOPO_COLL_DEFINE(alltoallv, Alltoallv,
                   (const void *send, hitopo_coll_counts_t send_counts, hitopo_coll_displacements_t send_displacements,
                    ompi_datatype_t *send_type, void *recv, hitopo_coll_counts_t recv_counts,
                    hitopo_coll_displacements_t recv_displacements, ompi_datatype_t *recv_type, ),
                   (send, send_counts, send_displacements, send_type, recv, recv_counts, recv_displacements,
                    recv_type, ))

static int alltoallw(const void *send, hitopo_coll_counts_t send_counts, hitopo_coll_displacements_t send_displacements,
                     ompi_datatype_t *const *send_types, void *recv, hitopo_coll_counts_t recv_counts,
                     hitopo_coll_displacements_t recv_displacements, ompi_datatype_t *const *recv_types,
                     const hitopo_coll_entry_t *entry)
{
    return exchange_pairs(entry, &(side_t){send, send_counts, send_displacements, NULL, send_types},
                          &(side_t){recv, recv_counts, recv_displacements, NULL, recv_types});
}

HITOPO_COLL_DEFINE(alltoallw, Alltoallw,
                   (const void *send, hitopo_coll_counts_t send_counts, hitopo_coll_displacements_t send_displacements,
                    ompi_datatype_t *const *send_types, void *recv, hitopo_coll_counts_t recv_counts,
                    hitopo_coll_displacements_t recv_displacements, ompi_datatype_t *const *recv_types, ),
                   (send, send_counts, send_displacements, send_types, recv, recv_counts, recv_displacements,
                    recv_types, ))
