/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * One message, or none: MPI_Bcast, MPI_Reduce, MPI_Allreduce, MPI_Barrier, and those that do not block.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include "mpi.h"

#include "ompi/constants.h"

/* Ranks may describe the same bytes by other types. */
static int bcast(void *buffer, hitopo_coll_count_t num, ompi_datatype_t *type, int root,
                 const hitopo_coll_entry_t *entry)
{
    const size_t count = (size_t) num, num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_BCAST, num_bytes);
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    if (!hitopo_coll_is_plain(type, count)) {
        hitopo_coll_use_packing(call, &(hitopo_coll_packing_t){.base = buffer, .count = count, .type = type});
        buffer = NULL;
    }
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = HITOPO_COLL_BCAST,
                                                        .root = root,
                                                        .input = buffer,
                                                        .output = buffer,
                                                        .count = num_bytes});
}

HITOPO_COLL_DEFINE(bcast, Bcast, (void *buffer, hitopo_coll_count_t num, ompi_datatype_t *type, int root, ),
                   (buffer, num, type, root, ))

/* root: of a reduce. */
static int merge(hitopo_coll_kind_t kind, const void *send, void *recv, size_t count, ompi_datatype_t *type,
                 struct ompi_op_t *op, int root, const hitopo_coll_entry_t *entry)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(entry, kind, num_bytes, op, type);
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin(entry, type, op, &on_stack);
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = kind,
                                                        .root = root,
                                                        .input = MPI_IN_PLACE == send ? recv : send,
                                                        .output = recv,
                                                        .count = count});
}

static int reduce(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type, struct ompi_op_t *op,
                  int root, const hitopo_coll_entry_t *entry)
{
    return merge(HITOPO_COLL_REDUCE, send, recv, (size_t) count, type, op, root, entry);
}

HITOPO_COLL_DEFINE(reduce, Reduce,
                   (const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                    struct ompi_op_t *op, int root, ),
                   (send, recv, count, type, op, root, ))

static int allreduce(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                     struct ompi_op_t *op, const hitopo_coll_entry_t *entry)
{
    return merge(HITOPO_COLL_ALLREDUCE, send, recv, (size_t) count, type, op, 0, entry);
}

HITOPO_COLL_DEFINE(allreduce, Allreduce,
                   (const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                    struct ompi_op_t *op, ),
                   (send, recv, count, type, op, ))

static int barrier(const hitopo_coll_entry_t *entry)
{
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_BARRIER, 1);
    if (NULL == coll) {
        return HITOPO_COLL_HANDED_ON;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    return hitopo_coll_serve(entry, coll, call,
                             &(hitopo_coll_arguments_t){.kind = HITOPO_COLL_BARRIER,
                                                        .input = &call->byte,
                                                        .output = &call->byte,
                                                        .count = 1});
}

HITOPO_COLL_DEFINE(barrier, Barrier, (), ())
