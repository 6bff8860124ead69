/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * One message, or none: MPI_Bcast, MPI_Reduce, MPI_Allreduce, MPI_Barrier, and those that do not block.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include "mpi.h"

#include "ompi/constants.h"

/* Ranks may describe the same bytes by other types. */
static int bcast(const hitopo_coll_entry_t *entry, void *buffer, size_t count, ompi_datatype_t *type, int root)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_BCAST, num_bytes);
    if (NULL == coll) {
        return HITOPO_COLL_LEFT;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    if (NULL == call) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc = hitopo_coll_prepare_short(coll, call, num_bytes);
    if (OMPI_SUCCESS == rc && !hitopo_coll_is_plain(type, count)) {
        call->packing = (hitopo_coll_packing_t){.base = buffer, .count = count, .type = type};
        hitopo_coll_use_packing(call);
        buffer = NULL;
    }
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_bcast(coll, &call->wire, buffer, num_bytes, root, call->open);
    }
    return hitopo_coll_end(entry, call, rc);
}

int hitopo_coll_bcast_call(void *buffer, hitopo_coll_count_t count, ompi_datatype_t *type, int root,
                           ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int rc =
        bcast(&(hitopo_coll_entry_t){"MPI_Bcast", comm, super, NULL, false}, buffer, (size_t) count, type, root);

    HITOPO_COLL_END(rc, bcast, buffer, count, type, root, comm);
}

int hitopo_coll_ibcast_call(void *buffer, hitopo_coll_count_t count, ompi_datatype_t *type, int root,
                            ompi_communicator_t *comm, ompi_request_t **request, mca_coll_base_module_t *super)
{
    const int rc =
        bcast(&(hitopo_coll_entry_t){"MPI_Ibcast", comm, super, request, false}, buffer, (size_t) count, type, root);

    HITOPO_COLL_END(rc, ibcast, buffer, count, type, root, comm, request);
}

int hitopo_coll_bcast_init_call(void *buffer, hitopo_coll_count_t count, ompi_datatype_t *type, int root,
                                ompi_communicator_t *comm, struct ompi_info_t *info, ompi_request_t **request,
                                mca_coll_base_module_t *super)
{
    const int rc =
        bcast(&(hitopo_coll_entry_t){"MPI_Bcast_init", comm, super, request, true}, buffer, (size_t) count, type, root);

    HITOPO_COLL_END(rc, bcast_init, buffer, count, type, root, comm, info, request);
}

static int reduce(const hitopo_coll_entry_t *entry, const void *send, void *recv, size_t count, ompi_datatype_t *type,
                  struct ompi_op_t *op, int root)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(entry, HITOPO_COLL_REDUCE, num_bytes, op, type);
    if (NULL == coll) {
        return HITOPO_COLL_LEFT;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin(entry, type, op, &on_stack);
    if (NULL == call) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc = hitopo_coll_prepare_short(coll, call, num_bytes);
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_reduce(coll, &call->wire, MPI_IN_PLACE == send ? recv : send, recv, count, root, call->open);
    }
    return hitopo_coll_end(entry, call, rc);
}

int hitopo_coll_reduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                            struct ompi_op_t *op, int root, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int rc = reduce(&(hitopo_coll_entry_t){"MPI_Reduce", comm, super, NULL, false}, send, recv, (size_t) count,
                          type, op, root);

    HITOPO_COLL_END(rc, reduce, send, recv, count, type, op, root, comm);
}

int hitopo_coll_ireduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                             struct ompi_op_t *op, int root, ompi_communicator_t *comm, ompi_request_t **request,
                             mca_coll_base_module_t *super)
{
    const int rc = reduce(&(hitopo_coll_entry_t){"MPI_Ireduce", comm, super, request, false}, send, recv,
                          (size_t) count, type, op, root);

    HITOPO_COLL_END(rc, ireduce, send, recv, count, type, op, root, comm, request);
}

int hitopo_coll_reduce_init_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                                 struct ompi_op_t *op, int root, ompi_communicator_t *comm, struct ompi_info_t *info,
                                 ompi_request_t **request, mca_coll_base_module_t *super)
{
    const int rc = reduce(&(hitopo_coll_entry_t){"MPI_Reduce_init", comm, super, request, true}, send, recv,
                          (size_t) count, type, op, root);

    HITOPO_COLL_END(rc, reduce_init, send, recv, count, type, op, root, comm, info, request);
}

static int allreduce(const hitopo_coll_entry_t *entry, const void *send, void *recv, size_t count,
                     ompi_datatype_t *type, struct ompi_op_t *op)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(entry, HITOPO_COLL_ALLREDUCE, num_bytes, op, type);
    if (NULL == coll) {
        return HITOPO_COLL_LEFT;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin(entry, type, op, &on_stack);
    if (NULL == call) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc = hitopo_coll_prepare_short(coll, call, num_bytes);
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_allreduce(coll, &call->wire, MPI_IN_PLACE == send ? recv : send, recv, count, call->open);
    }
    return hitopo_coll_end(entry, call, rc);
}

int hitopo_coll_allreduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                               struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int rc = allreduce(&(hitopo_coll_entry_t){"MPI_Allreduce", comm, super, NULL, false}, send, recv,
                             (size_t) count, type, op);

    HITOPO_COLL_END(rc, allreduce, send, recv, count, type, op, comm);
}

int hitopo_coll_iallreduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                                struct ompi_op_t *op, ompi_communicator_t *comm, ompi_request_t **request,
                                mca_coll_base_module_t *super)
{
    const int rc = allreduce(&(hitopo_coll_entry_t){"MPI_Iallreduce", comm, super, request, false}, send, recv,
                             (size_t) count, type, op);

    HITOPO_COLL_END(rc, iallreduce, send, recv, count, type, op, comm, request);
}

int hitopo_coll_allreduce_init_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                                    struct ompi_op_t *op, ompi_communicator_t *comm, struct ompi_info_t *info,
                                    ompi_request_t **request, mca_coll_base_module_t *super)
{
    const int rc = allreduce(&(hitopo_coll_entry_t){"MPI_Allreduce_init", comm, super, request, true}, send, recv,
                             (size_t) count, type, op);

    HITOPO_COLL_END(rc, allreduce_init, send, recv, count, type, op, comm, info, request);
}

static int barrier(const hitopo_coll_entry_t *entry)
{
    hitopo_coll_t *coll = hitopo_coll_server(entry, HITOPO_COLL_BARRIER, 1);
    if (NULL == coll) {
        return HITOPO_COLL_LEFT;
    }
    hitopo_coll_call_t on_stack, *call = hitopo_coll_begin_bytes(entry, &on_stack);
    if (NULL == call) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc = hitopo_coll_prepare_short(coll, call, 1);
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_barrier(coll, &call->wire, call->open);
    }
    return hitopo_coll_end(entry, call, rc);
}

int hitopo_coll_barrier_call(ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const int rc = barrier(&(hitopo_coll_entry_t){"MPI_Barrier", comm, super, NULL, false});

    HITOPO_COLL_END(rc, barrier, comm);
}

int hitopo_coll_ibarrier_call(ompi_communicator_t *comm, ompi_request_t **request, mca_coll_base_module_t *super)
{
    const int rc = barrier(&(hitopo_coll_entry_t){"MPI_Ibarrier", comm, super, request, false});

    HITOPO_COLL_END(rc, ibarrier, comm, request);
}

int hitopo_coll_barrier_init_call(ompi_communicator_t *comm, struct ompi_info_t *info, ompi_request_t **request,
                                  mca_coll_base_module_t *super)
{
    const int rc = barrier(&(hitopo_coll_entry_t){"MPI_Barrier_init", comm, super, request, true});

    HITOPO_COLL_END(rc, barrier_init, comm, info, request);
}
