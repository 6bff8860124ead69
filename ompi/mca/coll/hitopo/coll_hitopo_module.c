/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The collectives of a communicator that arrive at this component, and those of their calls that it serves.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <pthread.h>
#include <string.h>

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"

/* ---- the module ---- */

static void construct(hitopo_coll_module_t *module)
{
    memset((char *) module + sizeof(module->super), 0, sizeof(*module) - sizeof(module->super));
}

/* From 6.0 on, the communicator's list holds modules, and not each other. */
#ifdef MCA_COLL_INSTALL_API
#define RETAIN(api)
#define RELEASE(api)
#else
#define RETAIN(api) OBJ_RETAIN(module->next_##api##_module);
#define RELEASE(api)                              \
    if (NULL != module->next_##api##_module) {    \
        OBJ_RELEASE(module->next_##api##_module); \
    }
#endif

static void destruct(hitopo_coll_module_t *module)
{
    HITOPO_COLL_FOR_EACH(RELEASE)
    hitopo_coll_free(module->coll);
    hitopo_coll_give_back_cells(module->shared);
}

OBJ_CLASS_INSTANCE(hitopo_coll_module_t, mca_coll_base_module_t, construct, destruct);

static bool is_made(const hitopo_coll_module_t *module)
{
    return __atomic_load_n(&module->is_made, __ATOMIC_ACQUIRE);
}

/* Messages without bytes are left to others. */
static bool is_served(const hitopo_coll_entry_t *entry, hitopo_coll_kind_t kind, size_t num_bytes)
{
    const hitopo_coll_module_t *module = (const hitopo_coll_module_t *) entry->super;
    const hitopo_coll_ranges_t *ranges =
        &module->ranges[is_made(module)][NULL == entry->request ? kind : HITOPO_COLL_NONBLOCKING + kind];
    int range = 0;

    while (range < ranges->num && (num_bytes < ranges->first[range] || ranges->last[range] < num_bytes)) {
        ++range;
    }
    return num_bytes > 0 && range < ranges->num;
}

/* Made at the call: MPI_COMM_WORLD's tree, and the session of a communicator, are known after its collectives are
 * chosen. All ranks make the same. A communicator of a session has none: one process may call before MPI_Init, which
 * makes the tree, and another one after it. Two threads may make it, of which one makes progress; neither holds a lock
 * while it calls Open MPI. */
static void make_coll(const hitopo_coll_entry_t *entry)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    hitopo_coll_module_t *module = (hitopo_coll_module_t *) entry->super;
    hitopo_base_positions_t *positions =
        ompi_hitopo_base_has_outsiders(entry->comm) || ompi_hitopo_base_has_session(entry->comm)
            ? NULL
            : ompi_hitopo_base_positions_of(entry->comm);
    hitopo_coll_ranges_t ranges[HITOPO_COLL_NUM_KINDS] = {{.num = 0}};
    hitopo_coll_t *coll = NULL;
    int rc = OMPI_SUCCESS;

    if (NULL != positions) {
        rc = hitopo_coll_make(positions, ompi_comm_rank(entry->comm), &hitopo_coll_settings, &coll, ranges);
    }
    if (OMPI_SUCCESS != rc) { /* this process would stay out alone */
        ompi_hitopo_base_end_job(entry->comm, entry->function, rc);
    }
    pthread_mutex_lock(&lock);
    if (!is_made(module)) {
        module->coll = coll;
        memcpy(module->ranges[1], ranges, sizeof(ranges));
        __atomic_store_n(&module->is_made, true, __ATOMIC_RELEASE);
        coll = NULL;
    }
    pthread_mutex_unlock(&lock);
    hitopo_coll_free(coll);
}

hitopo_coll_t *hitopo_coll_server(const hitopo_coll_entry_t *entry, hitopo_coll_kind_t kind, size_t num_bytes)
{
    const hitopo_coll_module_t *module = (const hitopo_coll_module_t *) entry->super;

    if (!hitopo_coll_runs_in_all_processes) {
        return NULL;
    }
    if (!is_made(module) && is_served(entry, kind, num_bytes)) {
        make_coll(entry);
    }
    return is_served(entry, kind, num_bytes) ? module->coll : NULL;
}

/* Contributions are merged in the tree's order, which is not that of ranks; elements must follow each other. All ranks
 * have the same operation and type. An operation cannot be asked before MPI_Init's end; in a spawned job Open MPI calls
 * collectives before it. */
hitopo_coll_t *hitopo_coll_reduce_server(const hitopo_coll_entry_t *entry, hitopo_coll_kind_t kind, size_t num_bytes,
                                         struct ompi_op_t *op, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;

    ompi_datatype_get_extent(type, &lb, &extent);
    hitopo_coll_t *coll = extent > 0 ? hitopo_coll_server(entry, kind, num_bytes) : NULL;
    return NULL != coll && hitopo_mpi_is_commutative(op) ? coll : NULL;
}

/* ---- selection ---- */

/* Without a next component to hand on to, this one stays out of that collective. From 6.0 on, modules install
 * themselves. */
#ifdef MCA_COLL_INSTALL_API
#define INSTALL(api) MCA_COLL_INSTALL_API(comm, api, module->super.coll_##api, super, "hitopo");
#define UNINSTALL(api)                                                                              \
    if (comm->c_coll->coll_##api##_module == super) {                                               \
        MCA_COLL_INSTALL_API(comm, api, module->next_##api, module->next_##api##_module, "hitopo"); \
    }
#else
#define INSTALL(api)
#define UNINSTALL(api)                                                   \
    if (comm->c_coll->coll_##api##_module == super) {                    \
        OBJ_RETAIN(module->next_##api##_module);                         \
        comm->c_coll->coll_##api = module->next_##api;                   \
        comm->c_coll->coll_##api##_module = module->next_##api##_module; \
        OBJ_RELEASE(super);                                              \
    }
#endif

#define SAVE(api)                                                    \
    module->next_##api = comm->c_coll->coll_##api;                   \
    module->next_##api##_module = comm->c_coll->coll_##api##_module; \
    if (NULL != module->next_##api##_module) {                       \
        RETAIN(api)                                                  \
        INSTALL(api)                                                 \
    } else {                                                         \
        module->super.coll_##api = NULL;                             \
    }

static int enable(mca_coll_base_module_t *super, ompi_communicator_t *comm)
{
    hitopo_coll_module_t *module = (hitopo_coll_module_t *) super;

    HITOPO_COLL_FOR_EACH(SAVE)
    return OMPI_SUCCESS;
}

static void uninstall(mca_coll_base_module_t *super, ompi_communicator_t *comm)
{
    hitopo_coll_module_t *module = (hitopo_coll_module_t *) super;

    HITOPO_COLL_FOR_EACH(UNINSTALL)
}

#ifdef MCA_COLL_INSTALL_API
static int disable(mca_coll_base_module_t *super, ompi_communicator_t *comm)
{
    uninstall(super, comm);
    return OMPI_SUCCESS;
}
#endif

#define FIND(api)                                               \
    if (hitopo_coll_##api##_call == comm->c_coll->coll_##api) { \
        super = comm->c_coll->coll_##api##_module;              \
    }

void hitopo_coll_leave(ompi_communicator_t *comm)
{
    mca_coll_base_module_t *super = NULL;

    HITOPO_COLL_FOR_EACH(FIND)
    if (NULL != super) {
        OBJ_RETAIN(super);
        uninstall(super, comm);
        OBJ_RELEASE(super);
    }
}

#define SERVE(api) module->super.coll_##api = hitopo_coll_##api##_call;

mca_coll_base_module_t *hitopo_coll_new_module(ompi_communicator_t *comm)
{
    hitopo_coll_module_t *module = OBJ_NEW(hitopo_coll_module_t);
    const int rc =
        NULL == module ? OMPI_ERR_OUT_OF_RESOURCE : hitopo_coll_may_serve(&hitopo_coll_settings, module->ranges[0]);

    if (OMPI_SUCCESS != rc) { /* others would serve without this process */
        ompi_hitopo_base_end_job(comm, "the choice of collectives", rc);
    }
    module->super.coll_module_enable = enable;
#ifdef MCA_COLL_INSTALL_API
    module->super.coll_module_disable = disable;
#endif
    HITOPO_COLL_FOR_EACH(SERVE)
    return &module->super;
}
