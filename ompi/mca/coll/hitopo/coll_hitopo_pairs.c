/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks whose lengths only their sender and receiver know: MPI_Alltoallv and MPI_Alltoallw. Each process has a cell of
 * one size for each other one. Cells travel in bundles, a short block in its cell; of a long one the cell says that it
 * is sent directly, after that.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>
#include <string.h>

#include "mpi.h"

#include "ompi/constants.h"

/* What a cell begins with: the bytes of its block, or IS_DIRECT. */
typedef uint32_t head_t;
#define IS_DIRECT UINT32_MAX

/* What a process sends to all others, or receives from them. */
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

static void put_in_cell(const pair_t *pair, char *cell, size_t cell_bytes)
{
    const size_t room = cell_bytes - sizeof(head_t);
    const head_t head = pair->num_bytes > room ? IS_DIRECT : (head_t) pair->num_bytes;

    memcpy(cell, &head, sizeof(head));
    if (0 < head && IS_DIRECT != head) {
        (void) ompi_datatype_sndrcv(pair->at, pair->count, pair->type, cell + sizeof(head), (int32_t) head, MPI_PACKED);
    }
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

/* The blocks that are sent directly: those that this process's cells say, and those that the cells that it received
 * say. requests: of receives from each rank, and then of sends; NULL where there is none. */
static int exchange_directly(const hitopo_coll_wire_t *wire, const side_t *out, const side_t *in, size_t cell_bytes,
                             const char *sent, const char *received, int size, void **requests)
{
    hitopo_coll_context_t *context = wire->context;
    int rc = OMPI_SUCCESS, num_open = 0, num_done, done[2 * size];
    size_t bytes[2 * size];
    bool is_truncated = false;

    for (int i = 0; OMPI_SUCCESS == rc && i < 2 * size; ++i) {
        const bool is_send = i >= size;
        const int rank = is_send ? i - size : i;
        requests[i] = MPI_REQUEST_NULL;
        if (IS_DIRECT == head_of((is_send ? sent : received) + (size_t) rank * cell_bytes)) {
            const pair_t pair = pair_of(is_send ? out : in, rank);
            context->type = 0 < pair.count ? pair.type : &ompi_mpi_byte.dt;
            rc = is_send ? wire->send(context, pair.at, (size_t) pair.count, rank, 1, 0, &requests[i])
                         : wire->receive(context, pair.at, (size_t) pair.count, rank, 1, &requests[i]);
            num_open += OMPI_SUCCESS == rc ? 1 : 0;
        }
    }
    while (OMPI_SUCCESS == rc && 0 < num_open) {
        rc = wire->wait_some(context, 2 * size, requests, &num_done, done, bytes);
        num_open -= num_done;
        for (int i = 0; i < num_done; ++i) {
            is_truncated = is_truncated || HITOPO_COLL_TOO_LONG == bytes[i];
        }
    }
    for (int i = 0; OMPI_SUCCESS != rc && i < 2 * size; ++i) {
        (void) wire->abandon(context, requests[i], i >= size);
    }
    return OMPI_SUCCESS == rc && is_truncated ? MPI_ERR_TRUNCATE : rc;
}

/* memory: two cells for each rank; requests: two. */
static int exchange_pairs(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const side_t *out, const side_t *in,
                          ompi_communicator_t *comm, size_t cell_bytes, char *memory, void **requests)
{
    const int size = ompi_comm_size(comm), own = ompi_comm_rank(comm);
    char *sent = memory, *received = memory + (size_t) size * cell_bytes;
    const pair_t from = pair_of(out, own), to = pair_of(in, own);

    for (int rank = 0; rank < size; ++rank) {
        const pair_t pair = rank == own ? (pair_t){.count = 0} : pair_of(out, rank);
        put_in_cell(&pair, sent + (size_t) rank * cell_bytes, cell_bytes);
    }
    int rc = hitopo_coll_alltoall_bundled(coll, wire, "alltoallv", sent, received, cell_bytes);
    if (OMPI_SUCCESS == rc) {
        rc = exchange_directly(wire, out, in, cell_bytes, sent, received, size, requests);
    }
    for (int rank = 0; OMPI_SUCCESS == rc && rank < size; ++rank) {
        const pair_t pair = pair_of(in, rank);
        rc = take_from_cell(&pair, received + (size_t) rank * cell_bytes);
    }
    return OMPI_SUCCESS == rc && 0 < from.num_bytes + to.num_bytes
               ? ompi_datatype_sndrcv(from.at, from.count, 0 < from.count ? from.type : &ompi_mpi_byte.dt, to.at,
                                      to.count, 0 < to.count ? to.type : &ompi_mpi_byte.dt)
               : rc;
}

/* In place, where each block would have to be copied before, what served before does it. */
static int serve_pairs(const side_t *out, const side_t *in, ompi_communicator_t *comm, mca_coll_base_module_t *super,
                       const char *function)
{
    const size_t size = (size_t) ompi_comm_size(comm), cell_bytes = hitopo_coll_cell_bytes(ompi_comm_size(comm));
    hitopo_coll_t *coll =
        MPI_IN_PLACE == out->base || 0 == cell_bytes ? NULL : hitopo_coll_server(super, comm, HITOPO_COLL_ALLTOALLV, 1);
    hitopo_coll_context_t context;
    if (NULL == coll) {
        return HITOPO_COLL_LEFT;
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire_of_bytes(&context, comm, super, function);
    char *memory = calloc(2 * size, cell_bytes);
    void **requests = calloc(2 * size, sizeof(*requests));
    const int rc = NULL == memory || NULL == requests
                       ? OMPI_ERR_OUT_OF_RESOURCE
                       : exchange_pairs(coll, &wire, out, in, comm, cell_bytes, memory, requests);
    free(requests);
    free(memory);
    return rc;
}

int hitopo_coll_alltoallv_call(const void *send, hitopo_coll_counts_t send_counts,
                               hitopo_coll_displacements_t send_displacements, ompi_datatype_t *send_type, void *recv,
                               hitopo_coll_counts_t recv_counts, hitopo_coll_displacements_t recv_displacements,
                               ompi_datatype_t *recv_type, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const side_t out = {send, send_counts, send_displacements, send_type, NULL};
    const side_t in = {recv, recv_counts, recv_displacements, recv_type, NULL};
    const int rc = serve_pairs(&out, &in, comm, super, "MPI_Alltoallv");

    HITOPO_COLL_END(rc, alltoallv, send, send_counts, send_displacements, send_type, recv, recv_counts,
                    recv_displacements, recv_type, comm);
}

int hitopo_coll_alltoallw_call(const void *send, hitopo_coll_counts_t send_counts,
                               hitopo_coll_displacements_t send_displacements, ompi_datatype_t *const *send_types,
                               void *recv, hitopo_coll_counts_t recv_counts,
                               hitopo_coll_displacements_t recv_displacements, ompi_datatype_t *const *recv_types,
                               ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const side_t out = {send, send_counts, send_displacements, NULL, send_types};
    const side_t in = {recv, recv_counts, recv_displacements, NULL, recv_types};
    const int rc = serve_pairs(&out, &in, comm, super, "MPI_Alltoallw");

    HITOPO_COLL_END(rc, alltoallw, send, send_counts, send_displacements, send_types, recv, recv_counts,
                    recv_displacements, recv_types, comm);
}
