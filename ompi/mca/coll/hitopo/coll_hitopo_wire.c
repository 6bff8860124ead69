/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The wire over Open MPI's point-to-point layer.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include "mpi.h"

#include "ompi/constants.h"
#include "ompi/mca/coll/base/coll_tags.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/runtime/opal_progress.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

static int wire_send(void *context, const void *from, size_t count, int peer, int tag, int must_match, void **request)
{
    hitopo_coll_context_t *with = context;
    ompi_datatype_t *type = NULL == with->sent_type ? with->type : with->sent_type;
    const int rc = MCA_PML_CALL(isend(from, count, type, peer, with->module->first_tag - tag,
                                      must_match ? MCA_PML_BASE_SEND_SYNCHRONOUS : MCA_PML_BASE_SEND_STANDARD,
                                      with->comm, (ompi_request_t **) request));

    if (OMPI_SUCCESS == rc) {
        ompi_hitopo_base_sent(with->served, peer, hitopo_coll_bytes_in(type, count));
    }
    return rc;
}

static int wire_receive(void *context, void *to, size_t count, int peer, int tag, void **request)
{
    hitopo_coll_context_t *with = context;

    return MCA_PML_CALL(
        irecv(to, count, with->type, peer, with->module->first_tag - tag, with->comm, (ompi_request_t **) request));
}

/* Open MPI's own says MPI_ERR_IN_STATUS where one failed: what failed is wanted. And where threads make progress for
 * each other, a request that completes late writes into the stack of a wait_some that has returned (docs/upstream.md,
 * 57); what only tests leaves nothing there. Where an error ends the job, it does so at once. */
static int wire_take_some(void *context, int num, void **requests, int *num_done, int *done, size_t *bytes)
{
    const ompi_communicator_t *comm = ((hitopo_coll_context_t *) context)->comm;
    MPI_Status statuses[num];
    int rc;

    do {
        rc = ompi_mpi_thread_multiple
                 ? ompi_request_test_some((size_t) num, (ompi_request_t **) requests, num_done, done, statuses)
                 : ompi_request_wait_some((size_t) num, (ompi_request_t **) requests, num_done, done, statuses);
    } while (OMPI_SUCCESS == rc && 0 == *num_done);
    const bool has_errors = MPI_ERR_IN_STATUS == rc;
    rc = has_errors ? OMPI_SUCCESS : rc;
    for (int i = 0; i < *num_done; ++i) {
        const int error = has_errors ? statuses[i].MPI_ERROR : MPI_SUCCESS;
        const bool is_too_long = MPI_ERR_TRUNCATE == error && MPI_ERRORS_ARE_FATAL != comm->error_handler;
        bytes[i] = is_too_long ? HITOPO_COLL_TOO_LONG : statuses[i]._ucount;
        rc = OMPI_SUCCESS == rc && !is_too_long ? error : rc;
    }
    return rc;
}

/* A send that was freed and fails afterwards would end the job (ob1: "Send error after request freed"). */
static int wire_abandon(void *context, void *abandoned, int is_send)
{
    ompi_request_t *request = abandoned;

    (void) context;
    if (NULL == request || MPI_REQUEST_NULL == request) {
        return 0;
    }
    if (!REQUEST_COMPLETE(request)) {
        if (is_send) {
            return 1;
        }
        ompi_request_cancel(request);
        ompi_request_wait_completion(request);
    }
    ompi_request_free(&request);
    return 0;
}

/* ompi/op/op.h is not to be had with Debian's 4.1.4 (docs/upstream.md, 4); this is what it would do. */
static int wire_reduce(void *context, const void *in, void *inout, size_t count)
{
    hitopo_coll_context_t *with = context;
    mca_coll_base_comm_coll_t *coll = with->comm->c_coll;

    return 0 == count ? OMPI_SUCCESS
                      : coll->coll_reduce_local(in, inout, (hitopo_coll_count_t) count, with->type, with->op,
                                                coll->coll_reduce_local_module);
}

/* Yields where Open MPI was told to. */
static int wire_idle(void *context)
{
    int rc = OMPI_SUCCESS;

    opal_progress();
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    (void) ompi_comm_iface_coll_check(((hitopo_coll_context_t *) context)->comm, &rc);
#else
    (void) context;
#endif
    return rc;
}

/* As ompi_coll_base_nbc_reserve_tags, whose header includes op.h; but tags have to fit into those of the PML, too: UCX
 * cuts longer ones, and a receive of any tag would match what is left. */
static int reserve_tags(ompi_communicator_t *comm)
{
    const int32_t lowest = mca_pml.pml_max_tag < -MCA_COLL_BASE_TAG_NONBLOCKING_END ? (int32_t) -mca_pml.pml_max_tag
                                                                                    : MCA_COLL_BASE_TAG_NONBLOCKING_END;
    int32_t next, first;

    do {
        first = next = comm->c_nbc_tag;
        if (first - HITOPO_COLL_NUM_TAGS < lowest) {
            first = MCA_COLL_BASE_TAG_NONBLOCKING_BASE;
        }
    } while (!OPAL_ATOMIC_COMPARE_EXCHANGE_STRONG_32(&comm->c_nbc_tag, &next, first - HITOPO_COLL_NUM_TAGS));
    return first;
}

/* A communicator's first served call reserves tags: all ranks make it between the same collectives. */
void hitopo_coll_need_tags(hitopo_coll_module_t *module, ompi_communicator_t *comm)
{
    if (0 == module->first_tag) {
        module->first_tag = reserve_tags(comm);
    }
}

static void wire_begin(void *context)
{
    hitopo_coll_context_t *with = context;

    hitopo_coll_need_tags(with->module, with->comm);
    with->served = ompi_hitopo_base_serve(with->comm, with->function);
}

hitopo_coll_wire_t hitopo_coll_wire(hitopo_coll_context_t *context)
{
    ptrdiff_t lb, extent, true_lb, true_extent;
    hitopo_coll_wire_t wire = {.context = context,
                               .begin = wire_begin,
                               .send = wire_send,
                               .receive = wire_receive,
                               .take_some = wire_take_some,
                               .abandon = wire_abandon,
                               .reduce = wire_reduce,
                               .idle = wire_idle,
                               .length_error = MPI_ERR_TRUNCATE,
                               .num_tags = HITOPO_COLL_NUM_TAGS};

    ompi_datatype_type_size(context->type, &wire.size);
    ompi_datatype_get_extent(context->type, &lb, &extent);
    ompi_datatype_get_true_extent(context->type, &true_lb, &true_extent);
    wire.extent = extent;
    wire.true_lb = true_lb;
    wire.true_extent = (size_t) true_extent;
    return wire;
}
