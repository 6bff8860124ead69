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

/* This process's contribution, to its block in the receive buffer. MPI_ERR_TRUNCATE, of a wrong program, comes after
 * the collective, in which others wait. */
static int bring_own(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *own,
                     size_t own_count, ompi_datatype_t *recv_type)
{
    return MPI_IN_PLACE == send
               ? OMPI_SUCCESS
               : ompi_datatype_sndrcv(send, send_count, send_type, own, (hitopo_coll_count_t) own_count, recv_type);
}

int hitopo_coll_allgather_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                               hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ompi_communicator_t *comm,
                               mca_coll_base_module_t *super)
{
    const size_t size = (size_t) ompi_comm_size(comm), num_elements = (size_t) recv_count * size;
    const hitopo_coll_blocks_t blocks = {.count = hitopo_coll_bytes_in(recv_type, (size_t) recv_count)};
    hitopo_coll_t *coll = hitopo_coll_server(super, comm, HITOPO_COLL_ALLGATHER, blocks.count * size);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        const ptrdiff_t own_index = ompi_comm_rank(comm) * (ptrdiff_t) recv_count;
        hitopo_coll_call_t call;
        hitopo_coll_begin_bytes(&call, comm, super, "MPI_Allgather");
        call.own_rc = bring_own(send, send_count, send_type, hitopo_coll_element(recv, own_index, recv_type),
                                (size_t) recv_count, recv_type);
        if (!hitopo_coll_is_plain(recv_type, num_elements)) {
            call.packing = (hitopo_coll_packing_t){.base = recv, .count = num_elements, .type = recv_type};
            hitopo_coll_use_packing(&call);
        }
        rc = hitopo_coll_end(&call, hitopo_coll_allgather(coll, &call.wire, recv, &blocks, &call.open));
    }
    HITOPO_COLL_END(rc, allgather, send, send_count, send_type, recv, recv_count, recv_type, comm);
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

static int serve_allgatherv(hitopo_coll_t *coll, const void *send, hitopo_coll_count_t send_count,
                            ompi_datatype_t *send_type, void *recv, hitopo_coll_counts_t recv_counts,
                            hitopo_coll_displacements_t displacements, ompi_datatype_t *recv_type,
                            ompi_communicator_t *comm, mca_coll_base_module_t *super, size_t longest)
{
    const int size = ompi_comm_size(comm), own = ompi_comm_rank(comm);
    hitopo_coll_call_t call;
    size_t *begins;

    hitopo_coll_begin_bytes(&call, comm, super, "MPI_Allgatherv");
    call.blocks = blocks_of(recv_counts, size, hitopo_coll_bytes_in(recv_type, 1), &begins);
    if (NULL == begins) {
        return hitopo_coll_end(&call, OMPI_ERR_OUT_OF_RESOURCE);
    }
    call.memory = begins;
    call.own_rc = bring_own(send, send_count, send_type,
                            hitopo_coll_element(recv, HITOPO_COLL_DISPLACEMENT(displacements, own), recv_type),
                            HITOPO_COLL_COUNT(recv_counts, own), recv_type);
    if (hitopo_coll_is_plain(recv_type, longest)) {
        displace(begins, displacements, size, recv_type);
    } else {
        call.packing = (hitopo_coll_packing_t){.base = recv,
                                               .type = recv_type,
                                               .blocks = &call.blocks,
                                               .num_blocks = size,
                                               .displacements = displacements};
        hitopo_coll_use_packing(&call);
    }
    return hitopo_coll_end(&call, hitopo_coll_allgather(coll, &call.wire, recv, &call.blocks, &call.open));
}

int hitopo_coll_allgatherv_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type,
                                void *recv, hitopo_coll_counts_t recv_counts, hitopo_coll_displacements_t displacements,
                                ompi_datatype_t *recv_type, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const sums_t sums = sums_of(recv_counts, ompi_comm_size(comm));
    hitopo_coll_t *coll =
        hitopo_coll_server(super, comm, HITOPO_COLL_ALLGATHER, hitopo_coll_bytes_in(recv_type, sums.total));
    const int rc = NULL == coll ? HITOPO_COLL_LEFT
                                : serve_allgatherv(coll, send, send_count, send_type, recv, recv_counts, displacements,
                                                   recv_type, comm, super, sums.longest);

    HITOPO_COLL_END(rc, allgatherv, send, send_count, send_type, recv, recv_counts, displacements, recv_type, comm);
}

/* ---- alltoall ---- */

static hitopo_coll_equal_blocks_t equal_blocks(void *first, hitopo_coll_count_t count, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;

    ompi_datatype_get_extent(type, &lb, &extent);
    return (hitopo_coll_equal_blocks_t){.first = first, .count = (size_t) count, .step = (ptrdiff_t) count * extent};
}

/* Short blocks are packed, as those of several processes travel together. */
static int alltoall_bundled(hitopo_coll_t *coll, const void *send, hitopo_coll_count_t send_count,
                            ompi_datatype_t *send_type, void *recv, hitopo_coll_count_t recv_count,
                            ompi_datatype_t *recv_type, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const hitopo_coll_count_t size = (hitopo_coll_count_t) ompi_comm_size(comm);
    const size_t block = hitopo_coll_bytes_in(recv_type, (size_t) recv_count), total = block * (size_t) size;
    char *out = malloc(2 * total);
    hitopo_coll_call_t call;

    hitopo_coll_begin_bytes(&call, comm, super, "MPI_Alltoall");
    if (NULL == out) {
        return hitopo_coll_end(&call, OMPI_ERR_OUT_OF_RESOURCE);
    }
    call.memory = out;
    if (MPI_IN_PLACE == send) {
        send = recv;
        send_count = recv_count;
        send_type = recv_type;
    }
    call.own_rc = ompi_datatype_sndrcv(send, send_count * size, send_type, out, (int32_t) total, MPI_PACKED);
    hitopo_coll_copy_after(&call, out + total, (hitopo_coll_count_t) total, MPI_PACKED, recv, recv_count * size,
                           recv_type);
    return hitopo_coll_end(&call, hitopo_coll_alltoall_bundled(coll, &call.wire, "alltoall", out, out + total, block,
                                                               &call.open));
}

/* Blocks of a datatype with holes, too, are sent and received as they are. */
static int alltoall_directly(hitopo_coll_t *coll, const void *send, hitopo_coll_count_t send_count,
                             ompi_datatype_t *send_type, void *recv, hitopo_coll_count_t recv_count,
                             ompi_datatype_t *recv_type, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const ptrdiff_t own = ompi_comm_rank(comm);
    const hitopo_coll_equal_blocks_t out = equal_blocks((void *) send, send_count, send_type);
    const hitopo_coll_equal_blocks_t in = equal_blocks(recv, recv_count, recv_type);
    hitopo_coll_call_t call;

    hitopo_coll_begin(&call, comm, super, "MPI_Alltoall", recv_type, NULL);
    call.context.sent_type = send_type;
    call.own_rc = ompi_datatype_sndrcv(hitopo_coll_byte(send, (size_t) (own * out.step)), send_count, send_type,
                                       hitopo_coll_byte(recv, (size_t) (own * in.step)), recv_count, recv_type);
    return hitopo_coll_end(&call,
                           hitopo_coll_alltoall(coll, &call.wire, &out, &in,
                                                hitopo_coll_bytes_in(recv_type, (size_t) recv_count), &call.open));
}

/* In place, where each long block would have to be copied before, what served before does it. */
int hitopo_coll_alltoall_call(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                              hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ompi_communicator_t *comm,
                              mca_coll_base_module_t *super)
{
    const size_t num_bytes = hitopo_coll_bytes_in(recv_type, (size_t) recv_count) * (size_t) ompi_comm_size(comm);
    const bool is_bundled = 0 != hitopo_coll_is_bundled(ompi_comm_size(comm), num_bytes);
    hitopo_coll_t *coll =
        MPI_IN_PLACE == send && !is_bundled ? NULL : hitopo_coll_server(super, comm, HITOPO_COLL_ALLTOALL, num_bytes);
    const int rc = NULL == coll
                       ? HITOPO_COLL_LEFT
                       : (is_bundled ? alltoall_bundled : alltoall_directly)(coll, send, send_count, send_type, recv,
                                                                             recv_count, recv_type, comm, super);

    HITOPO_COLL_END(rc, alltoall, send, send_count, send_type, recv, recv_count, recv_type, comm);
}

/* ---- reduce_scatter ---- */

/* own_count: elements of this process's block. In place, the result would go where contributions are still read. */
static int serve_reduce_scatter(hitopo_coll_t *coll, hitopo_coll_call_t *call, const void *send, void *recv,
                                const hitopo_coll_blocks_t *blocks, size_t own_count)
{
    const hitopo_coll_wire_t *wire = &call->wire;
    char *output = recv;

    if (MPI_IN_PLACE == send) {
        call->memory = malloc(wire->true_extent + own_count * (size_t) wire->extent);
        if (NULL == call->memory) {
            return hitopo_coll_end(call, OMPI_ERR_OUT_OF_RESOURCE);
        }
        send = recv;
        output = (char *) call->memory - wire->true_lb;
        hitopo_coll_copy_after(call, output, (hitopo_coll_count_t) own_count, call->context.type, recv,
                               (hitopo_coll_count_t) own_count, call->context.type);
    }
    return hitopo_coll_end(call, hitopo_coll_reduce_scatter(coll, wire, send, output, blocks, &call->open));
}

int hitopo_coll_reduce_scatter_block_call(const void *send, void *recv, hitopo_coll_count_t count,
                                          ompi_datatype_t *type, struct ompi_op_t *op, ompi_communicator_t *comm,
                                          mca_coll_base_module_t *super)
{
    const hitopo_coll_blocks_t blocks = {.count = (size_t) count};
    const size_t num_bytes = hitopo_coll_bytes_in(type, (size_t) count * (size_t) ompi_comm_size(comm));
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_REDUCE_SCATTER, num_bytes, op, type);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        hitopo_coll_call_t call;
        hitopo_coll_begin(&call, comm, super, "MPI_Reduce_scatter_block", type, op);
        rc = serve_reduce_scatter(coll, &call, send, recv, &blocks, (size_t) count);
    }
    HITOPO_COLL_END(rc, reduce_scatter_block, send, recv, count, type, op, comm);
}

int hitopo_coll_reduce_scatter_call(const void *send, void *recv, hitopo_coll_counts_t counts, ompi_datatype_t *type,
                                    struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int size = ompi_comm_size(comm);
    const size_t num_bytes = hitopo_coll_bytes_in(type, sums_of(counts, size).total);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_REDUCE_SCATTER, num_bytes, op, type);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        size_t *begins;
        const hitopo_coll_blocks_t blocks = blocks_of(counts, size, 1, &begins);
        hitopo_coll_call_t call;
        hitopo_coll_begin(&call, comm, super, "MPI_Reduce_scatter", type, op);
        rc = NULL == begins ? OMPI_ERR_OUT_OF_RESOURCE
                            : serve_reduce_scatter(coll, &call, send, recv, &blocks,
                                                   HITOPO_COLL_COUNT(counts, ompi_comm_rank(comm)));
        free(begins);
    }
    HITOPO_COLL_END(rc, reduce_scatter, send, recv, counts, type, op, comm);
}
