/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * One message, or none: MPI_Bcast, MPI_Reduce, MPI_Allreduce, MPI_Barrier.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include "mpi.h"

#include "ompi/constants.h"

static int serve_bcast(hitopo_coll_t *coll, void *buffer, size_t count, ompi_datatype_t *type, int root,
                       ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    hitopo_coll_call_t call;

    hitopo_coll_begin_bytes(&call, comm, super, "MPI_Bcast");
    int rc = hitopo_coll_prepare_short(coll, &call, num_bytes);
    if (OMPI_SUCCESS == rc && !hitopo_coll_is_plain(type, count)) {
        call.packing = (hitopo_coll_packing_t){.base = buffer, .count = count, .type = type};
        hitopo_coll_use_packing(&call);
        buffer = NULL;
    }
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_bcast(coll, &call.wire, buffer, num_bytes, root, &call.open);
    }
    return hitopo_coll_end(&call, rc);
}

/* Ranks may describe the same bytes by other types. */
int hitopo_coll_bcast_call(void *buffer, hitopo_coll_count_t count, ompi_datatype_t *type, int root,
                           ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    hitopo_coll_t *coll =
        hitopo_coll_server(super, comm, HITOPO_COLL_BCAST, hitopo_coll_bytes_in(type, (size_t) count));
    const int rc = NULL == coll ? HITOPO_COLL_LEFT : serve_bcast(coll, buffer, (size_t) count, type, root, comm, super);

    HITOPO_COLL_END(rc, bcast, buffer, count, type, root, comm);
}

int hitopo_coll_reduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                            struct ompi_op_t *op, int root, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, (size_t) count);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_REDUCE, num_bytes, op, type);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        hitopo_coll_call_t call;
        hitopo_coll_begin(&call, comm, super, "MPI_Reduce", type, op);
        rc = hitopo_coll_prepare_short(coll, &call, num_bytes);
        if (OMPI_SUCCESS == rc) {
            rc = hitopo_coll_reduce(coll, &call.wire, MPI_IN_PLACE == send ? recv : send, recv, (size_t) count, root,
                                    &call.open);
        }
        rc = hitopo_coll_end(&call, rc);
    }
    HITOPO_COLL_END(rc, reduce, send, recv, count, type, op, root, comm);
}

int hitopo_coll_allreduce_call(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                               struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, (size_t) count);
    hitopo_coll_t *coll = hitopo_coll_reduce_server(super, comm, HITOPO_COLL_ALLREDUCE, num_bytes, op, type);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        hitopo_coll_call_t call;
        hitopo_coll_begin(&call, comm, super, "MPI_Allreduce", type, op);
        rc = hitopo_coll_prepare_short(coll, &call, num_bytes);
        if (OMPI_SUCCESS == rc) {
            rc = hitopo_coll_allreduce(coll, &call.wire, MPI_IN_PLACE == send ? recv : send, recv, (size_t) count,
                                       &call.open);
        }
        rc = hitopo_coll_end(&call, rc);
    }
    HITOPO_COLL_END(rc, allreduce, send, recv, count, type, op, comm);
}

int hitopo_coll_barrier_call(ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    hitopo_coll_t *coll = hitopo_coll_server(super, comm, HITOPO_COLL_BARRIER, 1);
    int rc = HITOPO_COLL_LEFT;

    if (NULL != coll) {
        hitopo_coll_call_t call;
        hitopo_coll_begin_bytes(&call, comm, super, "MPI_Barrier");
        rc = hitopo_coll_prepare_short(coll, &call, 1);
        if (OMPI_SUCCESS == rc) {
            rc = hitopo_coll_barrier(coll, &call.wire, &call.open);
        }
        rc = hitopo_coll_end(&call, rc);
    }
    HITOPO_COLL_END(rc, barrier, comm);
}
