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
#include "opal/runtime/opal_progress.h"
#include "opal/sys/atomic.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

static int wire_send(void *context, const void *from, size_t count, int peer, int tag, int must_match, void **request)
{
    hitopo_coll_context_t *with = context;
    ompi_datatype_t *type = NULL == with->sent_type ? with->type : with->sent_type;
    const int rc = MCA_PML_CALL(isend(from, count, type, peer, with->first_tag - tag,
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
        irecv(to, count, with->type, peer, with->first_tag - tag, with->comm, (ompi_request_t **) request));
}

static bool is_done(ompi_request_t *request)
{
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    return REQUEST_COMPLETE(request) || ompi_request_is_failed(request);
#else
    return REQUEST_COMPLETE(request);
#endif
}

/* wire_take_some's answer for a message that has completed. Where an error ends the job, it does so at once. */
static size_t bytes_of(const hitopo_coll_context_t *with, size_t bytes, int error, int *rc)
{
    const bool is_too_long = MPI_ERR_TRUNCATE == error && MPI_ERRORS_ARE_FATAL != with->comm->error_handler;

    *rc = OMPI_SUCCESS == *rc && !is_too_long ? error : *rc;
    return is_too_long ? HITOPO_COLL_TOO_LONG : bytes;
}

/* Makes no progress: what makes it may call this, however often. So of many messages some are looked at each time. */
static int take_completed(hitopo_coll_context_t *with, int num, ompi_request_t **requests, int *num_done, int *done,
                          size_t *bytes)
{
    enum { MOST_AT_ONCE = 64 };
    int rc = OMPI_SUCCESS;

    *num_done = 0;
    for (int looked_at = 0; looked_at < num && looked_at < MOST_AT_ONCE; ++looked_at) {
        const int i = with->next++ % (unsigned) num;
        if (MPI_REQUEST_NULL != requests[i] && is_done(requests[i])) {
            opal_atomic_rmb(); /* another thread may have completed it */
            const ompi_status_public_t *status = &requests[i]->req_status;
            bytes[*num_done] = bytes_of(with, status->_ucount, status->MPI_ERROR, &rc);
            done[(*num_done)++] = i;
            ompi_request_free(&requests[i]);
        }
    }
    return rc;
}

/* Waits by testing, since Open MPI's own wait keeps an array for each request on the stack, and where threads make
 * progress for each other a request that completes late writes there (docs/upstream.md, 57). */
static int wire_take_some(void *context, int num, void **requests, int *num_done, int *done, size_t *bytes)
{
    hitopo_coll_context_t *with = context;
    int rc = take_completed(with, num, (ompi_request_t **) requests, num_done, done, bytes);

    while (with->blocks && OMPI_SUCCESS == rc && 0 == *num_done) {
        opal_progress();
        rc = take_completed(with, num, (ompi_request_t **) requests, num_done, done, bytes);
    }
    return rc;
}

/* A send that was freed and fails afterwards would end the job (ob1: "Send error after request freed"). What does not
 * block must not wait here: progress() calls it, and with it waits all that this process still has to send to others.
 */
static int wire_abandon(void *context, void *abandoned, int is_send)
{
    const hitopo_coll_context_t *with = context;
    ompi_request_t *request = abandoned;

    if (!is_done(request)) {
        if (is_send) {
            return 1;
        }
        ompi_request_cancel(request);
        while (with->blocks && !is_done(request)) {
            opal_progress();
        }
        if (!is_done(request)) {
            return HITOPO_COLL_PENDING;
        }
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
    const hitopo_coll_context_t *with = context;
    int rc = OMPI_SUCCESS;

    if (with->blocks) { /* else it is progress that calls */
        opal_progress();
    }
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    (void) ompi_comm_iface_coll_check(with->comm, &rc);
#endif
    return rc;
}

/* Tags have to fit into those of the PML: UCX cuts longer ones, and a receive of any tag would match what is left. */
static int32_t lowest_tag(void)
{
    return mca_pml.pml_max_tag < -MCA_COLL_BASE_TAG_NONBLOCKING_END ? (int32_t) -mca_pml.pml_max_tag
                                                                    : MCA_COLL_BASE_TAG_NONBLOCKING_END;
}

/* As ompi_coll_base_nbc_reserve_tags, whose header includes op.h; but of the upper half. */
static int reserve_tags(ompi_communicator_t *comm)
{
    int32_t next, first;

    do {
        first = next = comm->c_nbc_tag;
        if (first - HITOPO_COLL_NUM_TAGS < lowest_tag() / 2) {
            first = MCA_COLL_BASE_TAG_NONBLOCKING_BASE;
        }
    } while (!OPAL_ATOMIC_COMPARE_EXCHANGE_STRONG_32(&comm->c_nbc_tag, &next, first - HITOPO_COLL_NUM_TAGS));
    return first;
}

int hitopo_coll_blocking_tag(void)
{
    return lowest_tag() + HITOPO_COLL_NUM_TAGS - 1;
}

/* The lower half, but for the lowest tags. Once they have run out they begin anew. */
static int persistent_tag(hitopo_coll_module_t *module)
{
    const int half = lowest_tag() / 2;
    const unsigned num = (unsigned) -half / HITOPO_COLL_NUM_TAGS - 1;

    return half - (int) (module->num_persistent++ % num) * HITOPO_COLL_NUM_TAGS;
}

static void wire_begin(void *context)
{
    hitopo_coll_context_t *with = context;

    with->first_tag = with->blocks          ? hitopo_coll_blocking_tag()
                      : with->is_persistent ? persistent_tag(with->module)
                                            : reserve_tags(with->comm);
    with->served = ompi_hitopo_base_serve(with->comm, with->function);
}

hitopo_coll_wire_t hitopo_coll_wire(hitopo_coll_context_t *context)
{
    ptrdiff_t lb, extent, true_lb, true_extent;
    hitopo_coll_wire_t wire = {.context = context,
                               .function = context->function,
                               .begin = wire_begin,
                               .send = wire_send,
                               .receive = wire_receive,
                               .take_some = wire_take_some,
                               .abandon = wire_abandon,
                               .reduce = wire_reduce,
                               .idle = wire_idle,
                               .blocks = context->blocks,
                               .is_persistent = context->is_persistent,
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
