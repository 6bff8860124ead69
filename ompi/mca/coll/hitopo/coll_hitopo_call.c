/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A call from its begin to its result: what is done in C before, between and after its messages.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"

/* All but the packing, which is large. */
void hitopo_coll_begin(hitopo_coll_call_t *call, ompi_communicator_t *comm, mca_coll_base_module_t *super,
                       const char *function, ompi_datatype_t *type, struct ompi_op_t *op)
{
    call->context = (hitopo_coll_context_t){.function = function,
                                            .comm = comm,
                                            .module = (hitopo_coll_module_t *) super,
                                            .type = type,
                                            .op = op};
    call->wire = hitopo_coll_wire(&call->context);
    call->open = NULL;
    call->follow = NULL;
    call->memory = NULL;
    call->own_rc = OMPI_SUCCESS;
}

void hitopo_coll_begin_bytes(hitopo_coll_call_t *call, ompi_communicator_t *comm, mca_coll_base_module_t *super,
                             const char *function)
{
    hitopo_coll_begin(call, comm, super, function, &ompi_mpi_byte.dt, MPI_BOR);
}

static int copy(hitopo_coll_call_t *call)
{
    return ompi_datatype_sndrcv(call->copy.from, call->copy.from_count, call->copy.from_type, call->copy.to,
                                call->copy.to_count, call->copy.to_type);
}

void hitopo_coll_copy_after(hitopo_coll_call_t *call, const void *from, hitopo_coll_count_t from_count,
                            ompi_datatype_t *from_type, void *to, hitopo_coll_count_t to_count,
                            ompi_datatype_t *to_type)
{
    call->copy.from = from;
    call->copy.from_count = from_count;
    call->copy.from_type = from_type;
    call->copy.to = to;
    call->copy.to_count = to_count;
    call->copy.to_type = to_type;
    call->follow = copy;
}

int hitopo_coll_end(hitopo_coll_call_t *call, int rc)
{
    if (OMPI_SUCCESS == rc && NULL != call->follow) {
        rc = call->follow(call);
    }
    if (NULL != call->context.packing) {
        OBJ_DESTRUCT(&call->packing.convertor);
    }
    free(call->memory);
    return OMPI_SUCCESS == rc ? call->own_rc : rc;
}
