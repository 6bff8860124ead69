/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the component's C files share.
 */
#ifndef MCA_COLL_HITOPO_GLUE_H
#define MCA_COLL_HITOPO_GLUE_H

#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"

#include "ompi/mca/coll/hitopo/coll_hitopo.h"

#if OMPI_MAJOR_VERSION < 6
typedef int hitopo_coll_count_t;
#else
typedef size_t hitopo_coll_count_t;
#endif

/* Each collective that the component serves. */
#define HITOPO_COLL_FOR_EACH(what) what(allgather) what(allreduce) what(bcast) what(reduce) what(reduce_scatter_block)

#define HITOPO_COLL_NEXT(api)                     \
    mca_coll_base_module_##api##_fn_t next_##api; \
    mca_coll_base_module_t *next_##api##_module;

/* Of one communicator. */
typedef struct hitopo_coll_module_t {
    mca_coll_base_module_t super;
    HITOPO_COLL_FOR_EACH(HITOPO_COLL_NEXT) /* what served before */
    hitopo_coll_t *coll;                   /* NULL until the first call with a table */
    bool stays_out;                        /* there was a table, and nothing to gain */
} hitopo_coll_module_t;

OBJ_CLASS_DECLARATION(hitopo_coll_module_t);

/* The component's variables, registered by the MCA. */
extern hitopo_coll_settings_t hitopo_coll_settings;
/* Whether all processes of MPI_COMM_WORLD have this component with these settings; false until MPI_Init's end. */
extern bool hitopo_coll_is_everywhere;

/* Which of comm's collectives arrive at this component first: a bit for each. */
unsigned hitopo_coll_installed(const ompi_communicator_t *comm);

/* For comm's collectives, of any communicator but an intercommunicator. NULL if memory is short. */
mca_coll_base_module_t *hitopo_coll_new_module(ompi_communicator_t *comm);

/* What a wire's context has to be. */
typedef struct hitopo_coll_context_t {
    ompi_communicator_t *comm;
    ompi_datatype_t *type;
    struct ompi_op_t *op;
    int first_tag; /* tags count downwards */
} hitopo_coll_context_t;

/* Of comm, in context->comm, and its other members. Reserves tags: all ranks make wires in the same order. */
hitopo_coll_wire_t hitopo_coll_wire(hitopo_coll_context_t *context);

#endif
