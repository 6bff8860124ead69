/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A call from its begin to its result: what is done in C before, between and after its messages.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

/* All but the packing, which is large. */
hitopo_coll_call_t *hitopo_coll_begin(const hitopo_coll_entry_t *entry, ompi_datatype_t *type, struct ompi_op_t *op,
                                      hitopo_coll_call_t *on_stack)
{
    const bool blocks = NULL == entry->request;
    hitopo_coll_call_t *call = blocks ? on_stack : hitopo_coll_new_request(entry);
    call->context = (hitopo_coll_context_t){.function = entry->function,
                                            .comm = entry->comm,
                                            .module = (hitopo_coll_module_t *) entry->super,
                                            .type = type,
                                            .op = op,
                                            .blocks = blocks,
                                            .is_persistent = entry->is_persistent};
    call->wire = hitopo_coll_wire(&call->context);
    call->operation = NULL;
    call->open = blocks ? NULL : &call->operation;
    call->before = call->after = (hitopo_coll_copy_t){.from = NULL};
    call->prepare = NULL;
    call->follow = NULL;
    call->memory = NULL;
    call->num_types = 0;
    call->own_rc = OMPI_SUCCESS;
    return call;
}

hitopo_coll_call_t *hitopo_coll_begin_bytes(const hitopo_coll_entry_t *entry, hitopo_coll_call_t *on_stack)
{
    return hitopo_coll_begin(entry, &ompi_mpi_byte.dt, MPI_BOR, on_stack);
}

void *hitopo_coll_take_memory(hitopo_coll_call_t *call, size_t num_bytes)
{
    call->memory = 0 == num_bytes ? NULL : malloc(num_bytes);
    if (NULL == call->memory && 0 != num_bytes) {
        ompi_hitopo_base_end_job(call->context.comm, call->context.function, OMPI_ERR_OUT_OF_RESOURCE);
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
    if (!call->context.is_persistent) {
        call->own_rc = call->prepare(call);
    }
}

void hitopo_coll_drop(hitopo_coll_call_t *call)
{
    if (NULL != call->context.packing) {
        OBJ_DESTRUCT(&call->packing.convertor);
    }
    free(call->memory);
}

int hitopo_coll_go_on(hitopo_coll_call_t *call, int rc)
{
    if (OMPI_SUCCESS == rc && NULL != call->follow) {
        rc = call->follow(call);
    }
    if (OMPI_ERR_OUT_OF_RESOURCE == rc) {
        ompi_hitopo_base_end_job(call->context.comm, call->context.function, rc);
    }
    if (HITOPO_COLL_PENDING != rc && !call->context.is_persistent) {
        hitopo_coll_drop(call);
    }
    return OMPI_SUCCESS == rc ? call->own_rc : rc;
}

/* What is persistent has not begun. */
int hitopo_coll_end(const hitopo_coll_entry_t *entry, hitopo_coll_call_t *call, int rc)
{
    rc = hitopo_coll_go_on(call, rc);
    if (NULL == entry->request) {
        return rc;
    }
    if (OMPI_SUCCESS != rc && HITOPO_COLL_PENDING != rc) {
        hitopo_coll_free_request(call);
        *entry->request = MPI_REQUEST_NULL;
        return rc;
    }
    *entry->request = hitopo_coll_start_request(call, rc);
    return OMPI_SUCCESS;
}
