/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A block for each process: MPI_Allgather, MPI_Allgatherv, MPI_Alltoall, MPI_Reduce_scatter,
 * MPI_Reduce_scatter_block, and those that do not block.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include "mpi.h"

#include "ompi/constants.h"

/* ---- allgather ---- */

/* Copies this process's contribution to its block in the receive buffer. MPI_ERR_TRUNCATE, of a wrong program, comes
 * after the collective, in which others wait. */
static void bring_own(hitopo_coll_call_t *call, const void *send, hitopo_coll_count_t send_count,
                      ompi_datatype_t *send_type, void *own, size_t own_count, ompi_datatype_t *recv_type)
{
    if (MPI_IN_PLACE != send) {
        hitopo_coll_copy_before(call, &(hitopo_coll_copy_t){send, send_count, send_type, own,
                                                            (hitopo_coll_count_t) own_count, recv_type});
    }
}

static int allgather(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                     hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, const hitopo_coll_entry_t *entry)
{
    const size_t size = (size_t) ompi_comm_size(entry->comm), num_elements = (size_t) recv_count * size;
    const ptrdiff_t own_index = ompi_comm_rank(entry->comm) * (ptrdiff_t) recv_count;
    const hitopo_coll_blocks_t blocks = {.count = hitopo_coll_bytes_in(recv_type, (size_t) recv_count)};
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_ALLGATHER, blocks.count * size);
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    bring_own(call, send, send_count, send_type, hitopo_coll_element(recv, own_index, recv_type), (size_t) recv_count,
              recv_type);
    if (!hitopo_coll_is_plain(recv_type, num_elements)) {
        hitopo_coll_use_packing(call, &(hitopo_coll_packing_t){.base = recv, .count = num_elements, .type = recv_type});
    }
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = HITOPO_COLL_ALLGATHER,
                                                        .output = recv,
                                                        .blocks = blocks});
}

HITOPO_COLL_DEFINE(allgather, Allgather,
                   (const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                    hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ),
                   (send, send_count, send_type, recv, recv_count, recv_type, ))

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

/* Blocks of counts[] elements of `unit` each, one behind the other, in memory for 2 * num numbers. */
static hitopo_coll_blocks_t blocks_in(size_t *memory, hitopo_coll_counts_t counts, int num, size_t unit)
{
    size_t end = 0;

    for (int rank = 0; rank < num; ++rank) {
        memory[rank] = end;
        memory[num + rank] = HITOPO_COLL_COUNT(counts, rank) * unit;
        end += memory[num + rank];
    }
    return (hitopo_coll_blocks_t){.begins = memory, .counts = memory + num};
}

/* The places of the blocks in the receive buffer. */
static void find_places(size_t *places, hitopo_coll_displacements_t displacements, int num, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;

    ompi_datatype_get_extent(type, &lb, &extent);
    for (int rank = 0; rank < num; ++rank) {
        places[rank] = (size_t) (HITOPO_COLL_DISPLACEMENT(displacements, rank) * extent);
    }
}

static int allgatherv(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                      hitopo_coll_counts_t recv_counts, hitopo_coll_displacements_t displacements,
                      ompi_datatype_t *recv_type, const hitopo_coll_entry_t *entry)
{
    const int size = ompi_comm_size(entry->comm), own = ompi_comm_rank(entry->comm);
    const sums_t sums = sums_of(recv_counts, size);
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_ALLGATHER, hitopo_coll_bytes_in(recv_type, sums.total));
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    size_t *numbers = hitopo_coll_take_memory(call, 3 * (size_t) size * sizeof(*numbers));
    call->blocks = blocks_in(numbers, recv_counts, size, hitopo_coll_bytes_in(recv_type, 1));
    bring_own(call, send, send_count, send_type,
              hitopo_coll_element(recv, HITOPO_COLL_DISPLACEMENT(displacements, own), recv_type),
              HITOPO_COLL_COUNT(recv_counts, own), recv_type);
    size_t *places = numbers + 2 * (size_t) size;
    find_places(places, displacements, size, recv_type);
    if (hitopo_coll_is_plain(recv_type, sums.longest)) {
        call->blocks.begins = places;
    } else {
        hitopo_coll_use_packing(call, &(hitopo_coll_packing_t){.base = recv,
                                                               .type = recv_type,
                                                               .blocks = &call->blocks,
                                                               .num_blocks = size,
                                                               .places = places});
    }
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = HITOPO_COLL_ALLGATHER,
                                                        .output = recv,
                                                        .blocks = call->blocks});
}

HITOPO_COLL_DEFINE(allgatherv, Allgatherv,
                   (const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                    hitopo_coll_counts_t recv_counts, hitopo_coll_displacements_t displacements,
                    ompi_datatype_t *recv_type, ),
                   (send, send_count, send_type, recv, recv_counts, displacements, recv_type, ))

/* ---- alltoall ---- */

/* Blocks are packed, since those of several processes travel together. Long ones travel as fast without HiTopo. */
static int alltoall(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                    hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, const hitopo_coll_entry_t *entry)
{
    const hitopo_coll_count_t size = (hitopo_coll_count_t) ompi_comm_size(entry->comm);
    const size_t block = hitopo_coll_bytes_in(recv_type, (size_t) recv_count), total = block * (size_t) size;
    hitopo_coll_t *coll =
        hitopo_coll_is_bundled((int) size, total) ? hitopo_coll_server(entry, HITOPO_COLL_ALLTOALL, total) : NULL;
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    char *out = hitopo_coll_take_memory(call, 2 * total);
    if (MPI_IN_PLACE == send) {
        send = recv;
        send_count = recv_count;
        send_type = recv_type;
    }
    const hitopo_coll_count_t in_bytes = (hitopo_coll_count_t) total;
    hitopo_coll_copy_before(call, &(hitopo_coll_copy_t){send, send_count * size, send_type, out, in_bytes, MPI_PACKED});
    hitopo_coll_copy_after(call, &(hitopo_coll_copy_t){out + total, in_bytes, MPI_PACKED, recv, recv_count * size,
                                                       recv_type});
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = HITOPO_COLL_ALLTOALL,
                                                        .input = out,
                                                        .output = out + total,
                                                        .count = block});
}

HITOPO_COLL_DEFINE(alltoall, Alltoall,
                   (const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                    hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ),
                   (send, send_count, send_type, recv, recv_count, recv_type, ))

/* ---- reduce_scatter ---- */

/* counts: elements of each block; NULL: each has own_count. In place, the result would go where contributions are still
 * read. */
static int scatter(const hitopo_coll_entry_t *entry, hitopo_coll_t *coll, const void *send, void *recv,
                   const hitopo_coll_counts_t *counts, size_t own_count, ompi_datatype_t *type, struct ompi_op_t *op)
{
    const int size = ompi_comm_size(entry->comm);
    const bool is_in_place = MPI_IN_PLACE == send;
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin(entry, type, op, &on_stack);
    const hitopo_coll_messages_t *messages = &call->messages;
    const size_t of_numbers = NULL == counts ? 0 : 2 * (size_t) size * sizeof(size_t);
    const size_t of_output = is_in_place ? messages->true_extent + own_count * (size_t) messages->extent : 0;
    char *memory = hitopo_coll_take_memory(call, of_numbers + of_output), *output = recv;
    const hitopo_coll_blocks_t blocks =
        NULL == counts ? (hitopo_coll_blocks_t){.count = own_count} : blocks_in((size_t *) memory, *counts, size, 1);
    if (is_in_place) {
        send = recv;
        output = memory + of_numbers - messages->true_lb;
        const hitopo_coll_count_t num = (hitopo_coll_count_t) own_count;
        hitopo_coll_copy_after(call, &(hitopo_coll_copy_t){output, num, type, recv, num, type});
    }
    const hitopo_coll_arguments_t arguments = {.kind = HITOPO_COLL_REDUCE_SCATTER,
                                               .input = send,
                                               .output = output,
                                               .blocks = blocks};
    return hitopo_coll_serve(entry, coll, call, &arguments);
}

static int reduce_scatter_block(const void *send, void *recv, hitopo_coll_count_t num, ompi_datatype_t *type,
                                struct ompi_op_t *op, const hitopo_coll_entry_t *entry)
{
    const size_t count = (size_t) num;
    const size_t num_bytes = hitopo_coll_bytes_in(type, count * (size_t) ompi_comm_size(entry->comm));
    hitopo_coll_t *coll = hitopo_coll_reduce_server(entry, HITOPO_COLL_REDUCE_SCATTER, num_bytes, op, type);

    return NULL == coll ? HITOPO_COLL_HANDED_ON : scatter(entry, coll, send, recv, NULL, count, type, op);
}

HITOPO_COLL_DEFINE(reduce_scatter_block, Reduce_scatter_block,
                   (const void *send, void *recv, hitopo_coll_count_t num, ompi_datatype_t *type,
                    struct ompi_op_t *op, ),
                   (send, recv, num, type, op, ))

static int reduce_scatter(const void *send, void *recv, hitopo_coll_counts_t counts, ompi_datatype_t *type,
                          struct ompi_op_t *op, const hitopo_coll_entry_t *entry)
{
    const size_t total = sums_of(counts, ompi_comm_size(entry->comm)).total;
    hitopo_coll_t *coll =
        hitopo_coll_reduce_server(entry, HITOPO_COLL_REDUCE_SCATTER, hitopo_coll_bytes_in(type, total), op, type);

    return NULL == coll ? HITOPO_COLL_HANDED_ON
                        : scatter(entry, coll, send, recv, &counts,
                                  HITOPO_COLL_COUNT(counts, ompi_comm_rank(entry->comm)), type, op);
}

HITOPO_COLL_DEFINE(reduce_scatter, Reduce_scatter,
                   (const void *send, void *recv, hitopo_coll_counts_t counts, ompi_datatype_t *type,
                    struct ompi_op_t *op, ),
                   (send, recv, counts, type, op, ))
