/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of collectives that do not block: Open MPI's progress moves them on, in the order in which they were
 * started.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"
#include "ompi/errhandler/errcode-internal.h"
#include "opal/runtime/opal_progress.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

/* Behind the request of a collective, Open MPI keeps what it retains for that, datatypes for example. How much that is,
 * coll_base_util.h says, which includes op.h (docs/upstream.md, 4). So the request is the last of ours. */
OMPI_DECLSPEC OBJ_CLASS_DECLARATION(ompi_coll_base_nbc_request_t);

typedef struct hitopo_coll_request_t {
    hitopo_coll_call_t call; /* first */
    struct hitopo_coll_request_t *next;
    ompi_request_t super[];
} hitopo_coll_request_t;

/* Those that are pending. Only progress() takes any out. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hitopo_coll_request_t *first = NULL, **end = &first;

/* ---- the list ---- */

static hitopo_coll_request_t *request_at(hitopo_coll_request_t **at)
{
    pthread_mutex_lock(&lock);
    hitopo_coll_request_t *request = *at;
    pthread_mutex_unlock(&lock);
    return request;
}

static int progress(void);

/* Open MPI calls progress() as long as there are any. */
static void append(hitopo_coll_request_t *request)
{
    int rc = OMPI_SUCCESS;

    request->next = NULL;
    pthread_mutex_lock(&lock);
    if (NULL == first) {
        rc = opal_progress_register(progress);
    }
    *end = request;
    end = &request->next;
    pthread_mutex_unlock(&lock);
    if (OMPI_SUCCESS != rc) { /* others wait for what nobody would move on */
        const hitopo_coll_context_t *context = &request->call.context;
        ompi_hitopo_base_end_job(context->comm, context->function, rc);
    }
}

static void take_out(hitopo_coll_request_t **at)
{
    pthread_mutex_lock(&lock);
    hitopo_coll_request_t *request = *at;
    *at = request->next;
    end = end == &request->next ? at : end;
    if (NULL == first) {
        (void) opal_progress_unregister(progress);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- progress ---- */

static void complete(hitopo_coll_request_t *request, int rc, bool is_waited_for)
{
    request->super->req_status.MPI_ERROR = OMPI_SUCCESS == rc ? rc : ompi_errcode_get_mpi_code(rc);
    ompi_request_complete(request->super, is_waited_for);
}

/* One thread at a time, and not again within itself: what posts a message may make progress. A thread that waits for
 * the request may free it as soon as it is complete. */
static int progress(void)
{
    static char is_busy;
    hitopo_coll_request_t **at = &first, *request;
    int num_completed = 0;

    if (__atomic_test_and_set(&is_busy, __ATOMIC_ACQUIRE)) {
        return 0;
    }
    while (NULL != (request = request_at(at))) {
        hitopo_coll_call_t *call = &request->call;
        const int rc =
            hitopo_coll_go_on(call, NULL == call->operation ? OMPI_SUCCESS : hitopo_coll_move_on(call->open));
        if (HITOPO_COLL_PENDING == rc) {
            at = &request->next;
            continue;
        }
        take_out(at);
        ompi_hitopo_base_ended(call->context.served);
        complete(request, rc, true);
        ++num_completed;
    }
    __atomic_clear(&is_busy, __ATOMIC_RELEASE);
    return num_completed;
}

/* ---- requests ---- */

static hitopo_coll_request_t *request_of(ompi_request_t *super)
{
    return (hitopo_coll_request_t *) ((char *) super - offsetof(hitopo_coll_request_t, super));
}

static void hold_object(void *object, bool is_held)
{
    if (NULL != object && is_held) {
        OBJ_RETAIN((opal_object_t *) object);
    } else if (NULL != object) {
        opal_object_t *released = object;
        OBJ_RELEASE(released);
    }
}

/* What a persistent call names stays until its request is freed. Open MPI sees to it for others only
 * (docs/upstream.md, 63). */
static void hold(const hitopo_coll_call_t *call, bool is_held)
{
    void *const all[] = {call->context.type,   call->context.sent_type,
                         call->context.op,     call->before.from_type,
                         call->before.to_type, call->after.from_type,
                         call->after.to_type,  NULL == call->context.packing ? NULL : call->packing.type};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {
        hold_object(all[i], is_held);
    }
    for (int i = 0; i < call->num_types; ++i) {
        hold_object(call->types[i], is_held);
    }
}

static void destroy(hitopo_coll_request_t *request)
{
    ompi_communicator_t *comm = request->super->req_mpi_object.comm;

    if (request->super->req_persistent) {
        hitopo_coll_free_operation(request->call.operation);
        hitopo_coll_drop(&request->call);
    }
    OMPI_REQUEST_FINI(request->super);
    OBJ_DESTRUCT(request->super);
    free(request);
    OBJ_RELEASE(comm); /* may be the last use of it */
}

/* MPI allows neither for a collective that is under way. */
static int free_request(ompi_request_t **which)
{
    hitopo_coll_request_t *request = request_of(*which);

    if (!REQUEST_COMPLETE(*which)) {
        return MPI_ERR_REQUEST;
    }
    *which = MPI_REQUEST_NULL;
    if (request->super->req_persistent) {
        hold(&request->call, false);
    }
    destroy(request);
    return OMPI_SUCCESS;
}

static int cancel_request(ompi_request_t *super, int flag)
{
    (void) super;
    (void) flag;
    return MPI_ERR_REQUEST;
}

/* After an error there is nothing to start. */
static void start(hitopo_coll_request_t *request)
{
    hitopo_coll_call_t *call = &request->call;
    int rc = OMPI_ERROR;

    request->super->req_status = ompi_status_empty;
    request->super->req_state = OMPI_REQUEST_ACTIVE;
    request->super->req_complete = REQUEST_PENDING;
    if (NULL != call->operation) {
        if (NULL != call->prepare) {
            call->own_rc = call->prepare(call);
        }
        hitopo_coll_restart(call->operation);
        rc = hitopo_coll_go_on(call, hitopo_coll_move_on(call->open));
    }
    if (HITOPO_COLL_PENDING == rc) {
        append(request);
    } else {
        complete(request, rc, false);
    }
}

static int start_all(size_t num, ompi_request_t **requests)
{
    for (size_t i = 0; i < num; ++i) {
        start(request_of(requests[i]));
    }
    return OMPI_SUCCESS;
}

hitopo_coll_call_t *hitopo_coll_new_request(const hitopo_coll_entry_t *entry)
{
    hitopo_coll_request_t *request = malloc(sizeof(*request) + OBJ_CLASS(ompi_coll_base_nbc_request_t)->cls_sizeof);
    if (NULL == request) {
        ompi_hitopo_base_end_job(entry->comm, entry->function, OMPI_ERR_OUT_OF_RESOURCE);
    }
    OBJ_CONSTRUCT(request->super, ompi_coll_base_nbc_request_t);
    OMPI_REQUEST_INIT(request->super, entry->is_persistent);
    request->super->req_type = OMPI_REQUEST_COLL;
    request->super->req_status = ompi_status_empty;
    request->super->req_start = start_all;
    request->super->req_free = free_request;
    request->super->req_cancel = cancel_request;
    request->super->req_mpi_object.comm = entry->comm;
    OBJ_RETAIN(entry->comm); /* the program may free it before */
    return &request->call;
}

/* Not before the function returns, which then retains: so nothing completes on the way. */
ompi_request_t *hitopo_coll_start_request(hitopo_coll_call_t *call, int rc)
{
    hitopo_coll_request_t *request = (hitopo_coll_request_t *) call;

    if (request->super->req_persistent) {
        call->context.served = NULL;
        hold(call, true);
        return request->super;
    }
    request->super->req_state = OMPI_REQUEST_ACTIVE;
    if (HITOPO_COLL_PENDING == rc) {
        call->context.served = ompi_hitopo_base_goes_on(call->context.served);
        append(request);
    } else {
        complete(request, rc, false);
    }
    return request->super;
}

void hitopo_coll_free_request(hitopo_coll_call_t *call)
{
    destroy((hitopo_coll_request_t *) call);
}
