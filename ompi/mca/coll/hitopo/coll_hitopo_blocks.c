/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A block for each process: MPI_Allgather, MPI_Allgatherv, MPI_Alltoall, MPI_Reduce_scatter and
 * MPI_Reduce_scatter_block.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"

/* ---- allgather ---- */

/* All blocks as bytes, where they can be sent from: in the receive buffer itself or in memory of their own. */
typedef struct {
    char *bytes; /* any address where it is direct: MPI_BOTTOM is NULL */
    bool is_direct;
    bool is_there; /* memory was not short */
} place_t;

static place_t place_for(void *recv, ompi_datatype_t *type, size_t longest, size_t num_bytes)
{
    place_t place = {.is_direct = hitopo_coll_is_plain(type, longest)};

    place.bytes = place.is_direct ? recv : malloc(num_bytes);
    place.is_there = place.is_direct || NULL != place.bytes;
    return place;
}

static void leave(place_t *place, int rc)
{
    if (!place->is_direct) {
        hitopo_coll_free_sent(place->bytes, rc);
    }
}

/* This process's contribution, to its place among all, which has room for what it receives from each. own: its block in
 * the receive buffer, of MPI_IN_PLACE. MPI_ERR_TRUNCATE, of a wrong program, comes after the collective, in which
 * others wait. */
static int bring_own(const void *send, size_t send_count, ompi_datatype_t *send_type, const void *own, size_t own_count,
                     ompi_datatype_t *recv_type, const place_t *place, char *to)
{
    const size_t room = hitopo_coll_bytes_in(recv_type, own_count);

    if (MPI_IN_PLACE != send) {
        return hitopo_coll_pack(send, send_count, send_type, to, room);
    }
    return place->is_direct ? OMPI_SUCCESS : hitopo_coll_pack(own, own_count, recv_type, to, room);
}

static bool can_go_on(int rc)
{
    return OMPI_SUCCESS == rc || MPI_ERR_TRUNCATE == rc;
}

int hitopo_coll_allgather_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                               hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ompi_communicator_t *comm,
                               mca_coll_base_module_t *super)
{
    const size_t size = (size_t) ompi_comm_size(comm), num_elements = (size_t) recv_count * size;
    const hitopo_coll_blocks_t blocks = {.count = hitopo_coll_bytes_in(recv_type, (size_t) recv_count)};
    hitopo_coll_t *coll = hitopo_coll_server(super, comm, HITOPO_COLL_FROM_EACH, blocks.count * size, 1);
    hitopo_coll_context_t context;

    if (NULL == coll) {
        HITOPO_COLL_CALL_NEXT(allgather, send, send_count, send_type, recv, recv_count, recv_type, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire_of_bytes(&context, comm, super, "MPI_Allgather");
    const size_t own = (size_t) ompi_comm_rank(comm);
    place_t place = place_for(recv, recv_type, num_elements, blocks.count * size);
    if (!place.is_there) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int own_rc =
        bring_own(send, (size_t) send_count, send_type,
                  hitopo_coll_element(recv, (ptrdiff_t) (own * (size_t) recv_count), recv_type), (size_t) recv_count,
                  recv_type, &place, hitopo_coll_byte(place.bytes, own * blocks.count));
    int rc = can_go_on(own_rc) ? hitopo_coll_allgather(coll, &wire, place.bytes, &blocks) : own_rc;
    if (OMPI_SUCCESS == rc && !place.is_direct) {
        rc = hitopo_coll_unpack(place.bytes, recv, num_elements, recv_type);
    }
    leave(&place, rc);
    return OMPI_SUCCESS == rc ? own_rc : rc;
}

/* ---- allgatherv ---- */

typedef struct {
    size_t longest, total; /* elements */
} sums_t;

static sums_t sums_of(hitopo_coll_counts_t counts, int num)
{
    sums_t sums = {0, 0};

    for (int rank = 0; rank < num; ++rank) {
        const size_t count = HITOPO_COLL_COUNT(counts, rank);
        sums.longest = count > sums.longest ? count : sums.longest;
        sums.total += count;
    }
    return sums;
}

/* Blocks of counts[] elements of `unit` each, one behind the other. The caller frees `begins`, which is NULL if memory
 * is short. */
static hitopo_coll_blocks_t blocks_of(hitopo_coll_counts_t counts, int num, size_t unit, size_t **begins)
{
    size_t *memory = malloc(2 * (size_t) num * sizeof(*memory)), end = 0;

    for (int rank = 0; NULL != memory && rank < num; ++rank) {
        memory[rank] = end;
        memory[num + rank] = HITOPO_COLL_COUNT(counts, rank) * unit;
        end += memory[num + rank];
    }
    *begins = memory;
    return (hitopo_coll_blocks_t){.begins = memory, .counts = NULL == memory ? NULL : memory + num};
}

/* To where they are in the receive buffer. */
static void displace(size_t *begins, hitopo_coll_displacements_t displacements, int num, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;

    ompi_datatype_get_extent(type, &lb, &extent);
    for (int rank = 0; rank < num; ++rank) {
        begins[rank] = (size_t) (HITOPO_COLL_DISPLACEMENT(displacements, rank) * extent);
    }
}

static int unpack_each(const char *from, const size_t *begins, void *recv, hitopo_coll_counts_t counts,
                       hitopo_coll_displacements_t displacements, ompi_datatype_t *type, int num)
{
    int rc = OMPI_SUCCESS;

    for (int rank = 0; OMPI_SUCCESS == rc && rank < num; ++rank) {
        rc = hitopo_coll_unpack(from + begins[rank],
                                hitopo_coll_element(recv, HITOPO_COLL_DISPLACEMENT(displacements, rank), type),
                                HITOPO_COLL_COUNT(counts, rank), type);
    }
    return rc;
}

int hitopo_coll_allgatherv_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type,
                                void *recv, hitopo_coll_counts_t recv_counts, hitopo_coll_displacements_t displacements,
                                ompi_datatype_t *recv_type, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int size = ompi_comm_size(comm), own = ompi_comm_rank(comm);
    const sums_t sums = sums_of(recv_counts, size);
    const size_t num_bytes = hitopo_coll_bytes_in(recv_type, sums.total);
    hitopo_coll_t *coll = hitopo_coll_server(super, comm, HITOPO_COLL_FROM_EACH, num_bytes, 1);
    hitopo_coll_context_t context;

    if (NULL == coll) {
        HITOPO_COLL_CALL_NEXT(allgatherv, send, send_count, send_type, recv, recv_counts, displacements, recv_type,
                              comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire_of_bytes(&context, comm, super, "MPI_Allgatherv");
    size_t *begins;
    const hitopo_coll_blocks_t blocks = blocks_of(recv_counts, size, hitopo_coll_bytes_in(recv_type, 1), &begins);
    place_t place = place_for(recv, recv_type, sums.longest, num_bytes);
    int own_rc = NULL == begins || !place.is_there ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_SUCCESS;
    if (OMPI_SUCCESS == own_rc) {
        if (place.is_direct) {
            displace(begins, displacements, size, recv_type);
        }
        own_rc = bring_own(send, (size_t) send_count, send_type,
                           hitopo_coll_element(recv, HITOPO_COLL_DISPLACEMENT(displacements, own), recv_type),
                           HITOPO_COLL_COUNT(recv_counts, own), recv_type, &place,
                           hitopo_coll_byte(place.bytes, begins[own]));
    }
    int rc = can_go_on(own_rc) ? hitopo_coll_allgather(coll, &wire, place.bytes, &blocks) : own_rc;
    if (OMPI_SUCCESS == rc && !place.is_direct) {
        rc = unpack_each(place.bytes, begins, recv, recv_counts, displacements, recv_type, size);
    }
    leave(&place, rc);
    free(begins);
    return OMPI_SUCCESS == rc ? own_rc : rc;
}

/* ---- alltoall ---- */

/* What each is to get, as `num` blocks of `block` bytes: the send buffer itself, if it is that already, or *memory,
 * which the caller frees. NULL if memory is short or `*rc` says what failed. A wrong program's blocks have another
 * length: MPI_ERR_TRUNCATE where they are longer. */
static const char *outgoing(const void *send, size_t count, ompi_datatype_t *type, size_t num, size_t block,
                            bool must_copy, char **memory, int *rc)
{
    const bool is_equal = block == hitopo_coll_bytes_in(type, count);
    const size_t at_once = is_equal ? num : 1;

    *memory = NULL;
    if (!must_copy && is_equal && hitopo_coll_is_plain(type, count * num)) {
        return send;
    }
    *memory = is_equal ? malloc(block * num) : calloc(num, block);
    *rc = NULL == *memory ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_SUCCESS;
    for (size_t i = 0; can_go_on(*rc) && i < num; i += at_once) {
        *rc = hitopo_coll_pack(hitopo_coll_element(send, (ptrdiff_t) (i * count), type), count * at_once, type,
                               *memory + i * block, block * at_once);
    }
    return *memory;
}

int hitopo_coll_alltoall_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                              hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ompi_communicator_t *comm,
                              mca_coll_base_module_t *super)
{
    const size_t size = (size_t) ompi_comm_size(comm), num_received = (size_t) recv_count * size;
    const size_t block = hitopo_coll_bytes_in(recv_type, (size_t) recv_count);
    hitopo_coll_t *coll = hitopo_coll_server(super, comm, HITOPO_COLL_EXCHANGE, block * size, 1);
    hitopo_coll_context_t context;

    if (NULL == coll) {
        HITOPO_COLL_CALL_NEXT(alltoall, send, send_count, send_type, recv, recv_count, recv_type, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire_of_bytes(&context, comm, super, "MPI_Alltoall");
    const size_t own = (size_t) ompi_comm_rank(comm) * block;
    const bool is_in_place = MPI_IN_PLACE == send;
    char *memory;
    int own_rc = OMPI_SUCCESS;
    const char *out = is_in_place
                          ? outgoing(recv, (size_t) recv_count, recv_type, size, block, true, &memory, &own_rc)
                          : outgoing(send, (size_t) send_count, send_type, size, block, false, &memory, &own_rc);
    place_t in = place_for(recv, recv_type, num_received, block * size);
    int rc = in.is_there ? own_rc : OMPI_ERR_OUT_OF_RESOURCE;
    if (can_go_on(rc)) {
        rc = hitopo_coll_pack(hitopo_coll_byte(out, own), block, &ompi_mpi_byte.dt, hitopo_coll_byte(in.bytes, own),
                              block);
    }
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_alltoall(coll, &wire, out, in.bytes, block);
    }
    if (OMPI_SUCCESS == rc && !in.is_direct) {
        rc = hitopo_coll_unpack(in.bytes, recv, num_received, recv_type);
    }
    leave(&in, rc);
    hitopo_coll_free_sent(memory, rc);
    return OMPI_SUCCESS == rc ? own_rc : rc;
}

/* ---- reduce_scatter ---- */

/* own_count: elements of this process's block. */
static int reduce_scatter(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const void *send, void *recv,
                          const hitopo_coll_blocks_t *blocks, size_t own_count, ompi_datatype_t *type)
{
    if (MPI_IN_PLACE != send) {
        return hitopo_coll_reduce_scatter(coll, wire, send, recv, blocks);
    }
    /* The result goes where contributions are still read. */
    char *memory = malloc(wire->true_extent + own_count * (size_t) wire->extent);
    if (NULL == memory) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    char *own = memory - wire->true_lb;
    int rc = hitopo_coll_reduce_scatter(coll, wire, recv, own, blocks);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_datatype_copy_content_same_ddt(type, own_count, recv, own);
    }
    free(memory);
    return rc;
}

int hitopo_coll_reduce_scatter_block_call(const void *send, void *recv, hitopo_coll_count_t count,
                                          ompi_datatype_t *type, struct ompi_op_t *op, ompi_communicator_t *comm,
                                          mca_coll_base_module_t *super)
{
    const hitopo_coll_blocks_t blocks = {.count = (size_t) count};
    const size_t num_bytes = hitopo_coll_bytes_in(type, (size_t) count * (size_t) ompi_comm_size(comm));
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_TO_EACH, num_bytes, op, type);
    hitopo_coll_context_t context = {.function = "MPI_Reduce_scatter_block",
                                     .comm = comm,
                                     .module = (hitopo_coll_module_t *) super,
                                     .type = type,
                                     .op = op};

    if (NULL == coll) {
        HITOPO_COLL_CALL_NEXT(reduce_scatter_block, send, recv, count, type, op, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire(&context);
    return reduce_scatter(coll, &wire, send, recv, &blocks, (size_t) count, type);
}

int hitopo_coll_reduce_scatter_call(const void *send, void *recv, hitopo_coll_counts_t counts, ompi_datatype_t *type,
                                    struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int size = ompi_comm_size(comm);
    const size_t num_bytes = hitopo_coll_bytes_in(type, sums_of(counts, size).total);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_TO_EACH, num_bytes, op, type);
    hitopo_coll_context_t context = {.function = "MPI_Reduce_scatter",
                                     .comm = comm,
                                     .module = (hitopo_coll_module_t *) super,
                                     .type = type,
                                     .op = op};

    if (NULL == coll) {
        HITOPO_COLL_CALL_NEXT(reduce_scatter, send, recv, counts, type, op, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire(&context);
    size_t *begins;
    const hitopo_coll_blocks_t blocks = blocks_of(counts, size, 1, &begins);
    if (NULL == begins) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int rc =
        reduce_scatter(coll, &wire, send, recv, &blocks, HITOPO_COLL_COUNT(counts, ompi_comm_rank(comm)), type);
    free(begins);
    return rc;
}
