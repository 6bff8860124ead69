/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A call's messages over Open MPI's point-to-point layer.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <sched.h>

#include "mpi.h"

#include "ompi/constants.h"
#include "ompi/mca/coll/base/coll_tags.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"
#include "opal/sys/atomic.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

const int hitopo_coll_length_error = MPI_ERR_TRUNCATE;

static hitopo_coll_call_t *call_of(hitopo_coll_messages_t *messages)
{
    return (hitopo_coll_call_t *) messages;
}

int hitopo_coll_send(hitopo_coll_messages_t *messages, const void *from, size_t count, int peer, int tag,
                     bool must_match, void **request)
{
    const hitopo_coll_call_t *call = call_of(messages);
    const int rc = MCA_PML_CALL(isend(from, count, call->type, peer, call->first_tag - tag,
                                      must_match ? MCA_PML_BASE_SEND_SYNCHRONOUS : MCA_PML_BASE_SEND_STANDARD,
                                      call->comm, (ompi_request_t **) request));

    if (OMPI_SUCCESS == rc) {
        ompi_hitopo_base_sent(call->served, peer, hitopo_coll_bytes_in(call->type, count));
    }
    return rc;
}

int hitopo_coll_receive(hitopo_coll_messages_t *messages, void *to, size_t count, int peer, int tag, void **request)
{
    const hitopo_coll_call_t *call = call_of(messages);

    return MCA_PML_CALL(
        irecv(to, count, call->type, peer, call->first_tag - tag, call->comm, (ompi_request_t **) request));
}

static bool is_done(ompi_request_t *request)
{
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    return REQUEST_COMPLETE(request) || ompi_request_is_failed(request);
#else
    return REQUEST_COMPLETE(request);
#endif
}

/* hitopo_coll_take_some's answer for a message that has completed. Where an error ends the job, it does so at once. */
static size_t bytes_of(const hitopo_coll_call_t *call, size_t bytes, int error, int *rc)
{
    const bool is_too_long = MPI_ERR_TRUNCATE == error && MPI_ERRORS_ARE_FATAL != call->comm->error_handler;

    *rc = OMPI_SUCCESS == *rc && !is_too_long ? error : *rc;
    return is_too_long ? HITOPO_COLL_TOO_LONG : bytes;
}

/* Makes no progress: progress may call it, at any rate. So it looks at some of many messages each time. */
static int take_completed(hitopo_coll_call_t *call, int num, ompi_request_t **requests, int *num_done, int *done,
                          size_t *bytes)
{
    enum { MOST_AT_ONCE = 64 };
    int rc = OMPI_SUCCESS;

    *num_done = 0;
    for (int looked_at = 0; looked_at < num && looked_at < MOST_AT_ONCE; ++looked_at) {
        const int i = call->next++ % (unsigned) num;
        if (MPI_REQUEST_NULL != requests[i] && is_done(requests[i])) {
            opal_atomic_rmb(); /* another thread may have completed it */
            const ompi_status_public_t *status = &requests[i]->req_status;
            bytes[*num_done] = bytes_of(call, status->_ucount, status->MPI_ERROR, &rc);
            done[(*num_done)++] = i;
            ompi_request_free(&requests[i]);
        }
    }
    return rc;
}

/* Waits by testing, since Open MPI's own wait keeps an array for each request on the stack, and where threads make
 * progress for each other a request that completes late writes there (docs/upstream.md, 57). */
int hitopo_coll_take_some(hitopo_coll_messages_t *messages, int num, void **requests, int *num_done, int *done,
                          size_t *bytes)
{
    hitopo_coll_call_t *call = call_of(messages);
    int rc = take_completed(call, num, (ompi_request_t **) requests, num_done, done, bytes);

    while (messages->blocks && OMPI_SUCCESS == rc && 0 == *num_done) {
        opal_progress();
        rc = take_completed(call, num, (ompi_request_t **) requests, num_done, done, bytes);
    }
    return rc;
}

/* A send that was freed and fails afterwards would end the job (ob1: "Send error after request freed"). A call that
 * does not block must not wait here: progress() calls it, and all that this process still has to send would wait too.
 */
int hitopo_coll_abandon(hitopo_coll_messages_t *messages, void *abandoned, bool is_send)
{
    ompi_request_t *request = abandoned;

    if (!is_done(request)) {
        if (is_send) {
            return 1;
        }
        ompi_request_cancel(request);
        while (messages->blocks && !is_done(request)) {
            opal_progress();
        }
        if (!is_done(request)) {
            return HITOPO_COLL_PENDING;
        }
    }
    ompi_request_free(&request);
    return 0;
}

/* Debian's 4.1.4 lacks ompi/op/op.h (docs/upstream.md, 4); this does the same. */
int hitopo_coll_merge(hitopo_coll_messages_t *messages, const void *in, void *inout, size_t count)
{
    const hitopo_coll_call_t *call = call_of(messages);
    mca_coll_base_comm_coll_t *coll = call->comm->c_coll;

    return 0 == count ? OMPI_SUCCESS
                      : coll->coll_reduce_local(in, inout, (hitopo_coll_count_t) count, call->type, call->op,
                                                coll->coll_reduce_local_module);
}

/* Where Open MPI has waiting processes yield, they are more than the processors. A look at all connections takes the
 * processor longer than a yield, and those that this process waits for need it: most turns only yield. */
int hitopo_coll_idle(hitopo_coll_messages_t *messages, unsigned turn)
{
    enum { TURNS_PER_LOOK = 16 };
    int rc = OMPI_SUCCESS;

    (void) messages;
    if (opal_progress_yield_when_idle && 0 != turn % TURNS_PER_LOOK) {
        sched_yield();
        return rc;
    }
    opal_progress();
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    (void) ompi_comm_iface_coll_check(call_of(messages)->comm, &rc);
#endif
    return rc;
}

/* Tags have to fit into those of the PML: UCX cuts longer ones, and a receive of any tag would match the rest. */
static int32_t lowest_tag(void)
{
    return mca_pml.pml_max_tag < -MCA_COLL_BASE_TAG_NONBLOCKING_END ? (int32_t) -mca_pml.pml_max_tag
                                                                    : MCA_COLL_BASE_TAG_NONBLOCKING_END;
}

/* Does the same as ompi_coll_base_nbc_reserve_tags, whose header includes op.h; but of the upper half. */
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

void hitopo_coll_begin_messages(hitopo_coll_messages_t *messages)
{
    hitopo_coll_call_t *call = call_of(messages);

    call->first_tag = messages->blocks          ? hitopo_coll_blocking_tag()
                      : messages->is_persistent ? persistent_tag(call->module)
                                                : reserve_tags(call->comm);
    call->served = ompi_hitopo_base_serve(call->comm, messages->function);
}
