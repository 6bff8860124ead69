/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A call from its begin to its result: the work in C before, between and after its messages. Where it does not block,
 * it is in a request, and Open MPI's progress moves it on, in the order in which requests were started.
 */
#define _GNU_SOURCE /* dladdr */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"

#include "ompi/constants.h"
#include "ompi/errhandler/errcode-internal.h"
#include "opal/runtime/opal_progress.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

/* Open MPI retains objects for a collective, datatypes for example, behind its request. Their size is in
 * coll_base_util.h, which includes op.h (docs/upstream.md, 4). So the request is our last member. */
OMPI_DECLSPEC OBJ_CLASS_DECLARATION(ompi_coll_base_nbc_request_t);

typedef struct hitopo_coll_request_t {
    hitopo_coll_call_t call; /* first */
    struct hitopo_coll_request_t *next;
    ompi_request_t super[];
} hitopo_coll_request_t;

/* ---- a call's work ---- */

void *hitopo_coll_take_memory(hitopo_coll_call_t *call, size_t num_bytes)
{
    call->memory = 0 == num_bytes ? NULL : malloc(num_bytes);
    if (NULL == call->memory && 0 != num_bytes) {
        ompi_hitopo_base_end_job(call->comm, call->messages.function, OMPI_ERR_OUT_OF_RESOURCE);
    }
    return call->memory;
}

static int copy(const hitopo_coll_copy_t *what)
{
    return ompi_datatype_sndrcv(what->from, what->from_count, what->from_type, what->to, what->to_count, what->to_type);
}

static int copy_before(hitopo_coll_call_t *call)
{
    return copy(&call->before);
}

static int copy_after(hitopo_coll_call_t *call)
{
    return copy(&call->after);
}

void hitopo_coll_copy_before(hitopo_coll_call_t *call, const hitopo_coll_copy_t *what)
{
    call->before = *what;
    call->prepare = copy_before;
    hitopo_coll_prepare(call);
}

void hitopo_coll_copy_after(hitopo_coll_call_t *call, const hitopo_coll_copy_t *what)
{
    call->after = *what;
    call->follow = copy_after;
}

void hitopo_coll_prepare(hitopo_coll_call_t *call)
{
    if (!call->messages.is_persistent) {
        call->own_rc = call->prepare(call);
    }
}

static void drop(hitopo_coll_call_t *call)
{
    if (call->messages.is_packed) {
        OBJ_DESTRUCT(&call->packing.convertor);
    }
    free(call->memory);
}

/* Called after the operation, whose result is `rc`. Returns the call's result, and drops the call, but not a persistent
 * one; or HITOPO_COLL_PENDING. */
static int go_on(hitopo_coll_call_t *call, int rc)
{
    if (OMPI_SUCCESS == rc && NULL != call->follow) {
        rc = call->follow(call);
    }
    if (OMPI_ERR_OUT_OF_RESOURCE == rc) {
        ompi_hitopo_base_end_job(call->comm, call->messages.function, rc);
    }
    if (HITOPO_COLL_PENDING != rc && !call->messages.is_persistent) {
        drop(call);
    }
    return OMPI_SUCCESS == rc ? call->own_rc : rc;
}

/* ---- the list of pending requests: only progress() takes any out ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hitopo_coll_request_t *first = NULL, **end = &first;

static hitopo_coll_request_t *request_at(hitopo_coll_request_t **at)
{
    pthread_mutex_lock(&lock);
    hitopo_coll_request_t *request = *at;
    pthread_mutex_unlock(&lock);
    return request;
}

static int progress(void);

/* Open MPI calls progress() as long as requests are pending. */
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
    if (OMPI_SUCCESS != rc) { /* others wait for a call that would not go on */
        ompi_hitopo_base_end_job(request->call.comm, request->call.messages.function, rc);
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

/* It runs in one thread at a time, and not within itself: functions that post messages may make progress. A thread that
 * waits for the request may free it as soon as it is complete. */
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
        const int rc = go_on(call, hitopo_coll_move_on(&call->messages));
        if (HITOPO_COLL_PENDING == rc) {
            at = &request->next;
            continue;
        }
        take_out(at);
        ompi_hitopo_base_ended(call->served);
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

/* Objects that a persistent call names stay until its request is freed. Open MPI keeps those of other calls only
 * (docs/upstream.md, 63). */
static void hold(const hitopo_coll_call_t *call, bool is_held)
{
    void *const all[] = {call->type,
                         call->op,
                         call->before.from_type,
                         call->before.to_type,
                         call->after.from_type,
                         call->after.to_type,
                         call->messages.is_packed ? call->packing.type : NULL};

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
        hitopo_coll_free_operation(request->call.messages.operation);
        drop(&request->call);
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
    if (NULL != call->messages.operation) {
        if (NULL != call->prepare) {
            call->own_rc = call->prepare(call);
        }
        hitopo_coll_restart(call->messages.operation);
        rc = go_on(call, hitopo_coll_move_on(&call->messages));
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

static hitopo_coll_request_t *new_request(const hitopo_coll_entry_t *entry)
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
    return request;
}

/* ---- begin and end ---- */

/* Open MPI makes communicators by nonblocking collectives of its own: nobody called an MPI function for these. */
static bool is_of_open_mpi(const hitopo_coll_entry_t *entry)
{
    Dl_info caller;

    return NULL != entry->caller && 0 < hitopo_coll_settings.verbose
           && (0 == dladdr(entry->caller, &caller) || NULL == caller.dli_sname
               || NULL == strstr(caller.dli_sname, "MPI_I"));
}

hitopo_coll_call_t *hitopo_coll_begin(const hitopo_coll_entry_t *entry, ompi_datatype_t *type, struct ompi_op_t *op,
                                      hitopo_coll_call_t *on_stack)
{
    const bool blocks = NULL == entry->request;
    hitopo_coll_call_t *call = blocks ? on_stack : &new_request(entry)->call;
    ptrdiff_t lb, true_extent;

    memset(call, 0, offsetof(hitopo_coll_call_t, packing)); /* which is large */
    call->comm = entry->comm;
    call->module = (hitopo_coll_module_t *) entry->super;
    call->type = type;
    call->op = op;
    call->messages.function = entry->function;
    call->messages.blocks = blocks;
    call->messages.is_persistent = entry->is_persistent;
    call->messages.is_of_open_mpi = is_of_open_mpi(entry);
    ompi_datatype_type_size(type, &call->messages.size);
    ompi_datatype_get_extent(type, &lb, &call->messages.extent);
    ompi_datatype_get_true_extent(type, &call->messages.true_lb, &true_extent);
    call->messages.true_extent = (size_t) true_extent;
    return call;
}

hitopo_coll_call_t *hitopo_coll_begin_bytes(const hitopo_coll_entry_t *entry, hitopo_coll_call_t *on_stack)
{
    return hitopo_coll_begin(entry, &ompi_mpi_byte.dt, MPI_BOR, on_stack);
}

/* A persistent call waits for its start. No request completes before this: Open MPI retains objects for it only when
 * the function returns. */
int hitopo_coll_serve(const hitopo_coll_entry_t *entry, hitopo_coll_t *coll, hitopo_coll_call_t *call,
                      const hitopo_coll_arguments_t *arguments)
{
    hitopo_coll_request_t *request = (hitopo_coll_request_t *) call;
    const int rc = go_on(call, hitopo_coll_run(coll, &call->messages, arguments));

    if (call->messages.blocks) {
        return rc;
    }
    if (OMPI_SUCCESS != rc && HITOPO_COLL_PENDING != rc) {
        destroy(request);
        *entry->request = MPI_REQUEST_NULL;
        return rc;
    }
    *entry->request = request->super;
    if (call->messages.is_persistent) {
        call->served = NULL;
        hold(call, true);
        return OMPI_SUCCESS;
    }
    request->super->req_state = OMPI_REQUEST_ACTIVE;
    if (HITOPO_COLL_PENDING == rc) {
        call->served = ompi_hitopo_base_goes_on(call->served);
        append(request);
    } else {
        complete(request, rc, false);
    }
    return OMPI_SUCCESS;
}
