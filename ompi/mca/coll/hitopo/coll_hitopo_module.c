/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator's collectives: which calls are served here, and which are handed on.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>
#include <string.h>

#include "mpi.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

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
    if (NULL != module->coll) {
        hitopo_coll_free(module->coll);
    }
}

OBJ_CLASS_INSTANCE(hitopo_coll_module_t, mca_coll_base_module_t, construct, destruct);

/* Asked at the call: MPI_COMM_WORLD's table is made after its collectives are chosen. The same answer at all ranks,
 * which did the same before. */
static hitopo_coll_t *coll_of(hitopo_coll_module_t *module, ompi_communicator_t *comm)
{
    if (OPAL_LIKELY(NULL != module->coll || module->stays_out || !hitopo_coll_is_everywhere)) {
        return module->coll;
    }
    hitopo_int_t **rows = hitopo_base_has_outsiders(comm) ? NULL : ompi_hitopo_get_addrs(comm);
    module->stays_out = NULL == rows
                        || OMPI_SUCCESS
                               != hitopo_coll_make(rows, ompi_comm_size(comm), ompi_comm_rank(comm),
                                                   &hitopo_coll_settings, &module->coll)
                        || NULL == module->coll;
    return module->coll;
}

static size_t bytes_in(ompi_datatype_t *type, hitopo_coll_count_t count)
{
    size_t size;

    ompi_datatype_type_size(type, &size);
    return size * (size_t) count;
}

/* What serves a message of so many bytes, the same number at all ranks; NULL: what served before. */
static hitopo_coll_t *server_of(mca_coll_base_module_t *super, ompi_communicator_t *comm, size_t num_bytes)
{
    return num_bytes < (size_t) hitopo_coll_settings.min_bytes ? NULL : coll_of((hitopo_coll_module_t *) super, comm);
}

/*
 * Hands a call on to what served before. That one may itself hand on: han 4.1 then replaces the communicator's function
 * by its own next one, and calls the communicator's. Were that ours, we would go round for ever. So the communicator
 * has the next one's function for the time of the call; what stands there afterwards is our next one. The reference
 * that we hold goes into the communicator and comes back.
 */
#define CALL_NEXT(api, ...)                                                               \
    do {                                                                                  \
        hitopo_coll_module_t *module = (hitopo_coll_module_t *) super;                    \
        mca_coll_base_module_##api##_fn_t own = comm->c_coll->coll_##api;                 \
        mca_coll_base_module_t *own_module = comm->c_coll->coll_##api##_module;           \
        comm->c_coll->coll_##api = module->next_##api;                                    \
        comm->c_coll->coll_##api##_module = module->next_##api##_module;                  \
        const int next_rc = module->next_##api(__VA_ARGS__, module->next_##api##_module); \
        module->next_##api = comm->c_coll->coll_##api;                                    \
        module->next_##api##_module = comm->c_coll->coll_##api##_module;                  \
        comm->c_coll->coll_##api = own;                                                   \
        comm->c_coll->coll_##api##_module = own_module;                                   \
        return next_rc;                                                                   \
    } while (0)

/* ---- data ---- */

static hitopo_coll_wire_t wire_of_bytes(hitopo_coll_context_t *context, ompi_communicator_t *comm)
{
    *context = (hitopo_coll_context_t){.comm = comm, .type = &ompi_mpi_byte.dt};
    return hitopo_coll_wire(context);
}

/* Whether `count` elements lie in memory as they are packed. */
static bool is_plain(ompi_datatype_t *type, hitopo_coll_count_t count)
{
    ptrdiff_t true_lb, true_extent;

    ompi_datatype_get_true_extent(type, &true_lb, &true_extent);
    return 0 == true_lb && ompi_datatype_is_contiguous_memory_layout(type, count);
}

static int pack(const void *from, hitopo_coll_count_t count, ompi_datatype_t *type, char *to, size_t num_bytes)
{
    return ompi_datatype_sndrcv(from, count, type, to, num_bytes, &ompi_mpi_packed.dt);
}

static int unpack(const char *from, size_t num_bytes, void *to, hitopo_coll_count_t count, ompi_datatype_t *type)
{
    return ompi_datatype_sndrcv(from, num_bytes, &ompi_mpi_packed.dt, to, count, type);
}

/* Contributions are merged in the tree's order, which is not that of ranks; elements must follow each other. All ranks
 * have the same operation and type. */
static bool can_reduce(struct ompi_op_t *op, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;
    int commutes = 0;

    ompi_datatype_get_extent(type, &lb, &extent);
    return extent > 0 && MPI_SUCCESS == PMPI_Op_commutative(op, &commutes) && 0 != commutes;
}

/* ---- the collectives ---- */

/* Ranks may describe the same bytes by other types. */
static int bcast(void *buffer, hitopo_coll_count_t count, ompi_datatype_t *type, int root, ompi_communicator_t *comm,
                 mca_coll_base_module_t *super)
{
    const size_t num_bytes = bytes_in(type, count);
    hitopo_coll_t *coll = server_of(super, comm, num_bytes);
    hitopo_coll_context_t context;

    if (NULL == coll) {
        CALL_NEXT(bcast, buffer, count, type, root, comm);
    }
    const hitopo_coll_wire_t wire = wire_of_bytes(&context, comm);
    if (is_plain(type, count)) {
        return hitopo_coll_bcast(coll, &wire, buffer, num_bytes, root);
    }
    const bool is_root = ompi_comm_rank(comm) == root;
    char *packed = malloc(num_bytes);
    if (NULL == packed) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc = is_root ? pack(buffer, count, type, packed, num_bytes) : OMPI_SUCCESS;
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_bcast(coll, &wire, packed, num_bytes, root);
    }
    if (OMPI_SUCCESS == rc && !is_root) {
        rc = unpack(packed, num_bytes, buffer, count, type);
    }
    free(packed);
    return rc;
}

static int reduce(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type, struct ompi_op_t *op,
                  int root, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    hitopo_coll_t *coll = can_reduce(op, type) ? server_of(super, comm, bytes_in(type, count)) : NULL;
    hitopo_coll_context_t context = {.comm = comm, .type = type, .op = op};

    if (NULL == coll) {
        CALL_NEXT(reduce, send, recv, count, type, op, root, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire(&context);
    return hitopo_coll_reduce(coll, &wire, MPI_IN_PLACE == send ? recv : send, recv, (size_t) count, root);
}

static int allreduce(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                     struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    hitopo_coll_t *coll = can_reduce(op, type) ? server_of(super, comm, bytes_in(type, count)) : NULL;
    hitopo_coll_context_t context = {.comm = comm, .type = type, .op = op};

    if (NULL == coll) {
        CALL_NEXT(allreduce, send, recv, count, type, op, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire(&context);
    return hitopo_coll_allreduce(coll, &wire, MPI_IN_PLACE == send ? recv : send, recv, (size_t) count);
}

static int reduce_scatter_block(const void *send, void *recv, hitopo_coll_count_t count, ompi_datatype_t *type,
                                struct ompi_op_t *op, ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    const size_t size = (size_t) ompi_comm_size(comm);
    hitopo_coll_t *coll = can_reduce(op, type) ? server_of(super, comm, size * bytes_in(type, count)) : NULL;
    hitopo_coll_context_t context = {.comm = comm, .type = type, .op = op};

    if (NULL == coll) {
        CALL_NEXT(reduce_scatter_block, send, recv, count, type, op, comm);
    }
    const hitopo_coll_wire_t wire = hitopo_coll_wire(&context);
    if (MPI_IN_PLACE != send) {
        return hitopo_coll_reduce_scatter_block(coll, &wire, send, recv, (size_t) count);
    }
    char *memory = malloc(wire.true_extent + ((size_t) count - 1) * (size_t) wire.extent);
    if (NULL == memory) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    char *own = memory - wire.true_lb;
    int rc = hitopo_coll_reduce_scatter_block(coll, &wire, recv, own, (size_t) count);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_datatype_copy_content_same_ddt(type, (int32_t) count, recv, own);
    }
    free(memory);
    return rc;
}

/* This process's contribution, to its place among all blocks, which are packed. */
static int pack_own(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                    hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, size_t own, char *all, size_t block)
{
    ptrdiff_t lb, extent;

    if (MPI_IN_PLACE != send) {
        return pack(send, send_count, send_type, all + own * block, block);
    }
    if (all == recv) {
        return OMPI_SUCCESS;
    }
    ompi_datatype_get_extent(recv_type, &lb, &extent);
    return pack((char *) recv + (ptrdiff_t) own * (ptrdiff_t) recv_count * extent, recv_count, recv_type,
                all + own * block, block);
}

static int allgather(const void *send, hitopo_coll_count_t send_count, ompi_datatype_t *send_type, void *recv,
                     hitopo_coll_count_t recv_count, ompi_datatype_t *recv_type, ompi_communicator_t *comm,
                     mca_coll_base_module_t *super)
{
    const size_t block = bytes_in(recv_type, recv_count), size = (size_t) ompi_comm_size(comm);
    hitopo_coll_t *coll = server_of(super, comm, block * size);
    hitopo_coll_context_t context;

    if (NULL == coll) {
        CALL_NEXT(allgather, send, send_count, send_type, recv, recv_count, recv_type, comm);
    }
    const hitopo_coll_wire_t wire = wire_of_bytes(&context, comm);
    const hitopo_coll_count_t num_elements = recv_count * (hitopo_coll_count_t) size;
    const bool is_direct = is_plain(recv_type, num_elements);
    char *all = is_direct ? recv : malloc(block * size);
    if (NULL == all) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int rc =
        pack_own(send, send_count, send_type, recv, recv_count, recv_type, (size_t) ompi_comm_rank(comm), all, block);
    if (OMPI_SUCCESS == rc) {
        rc = hitopo_coll_allgather(coll, &wire, all, block);
    }
    if (!is_direct) {
        if (OMPI_SUCCESS == rc) {
            rc = unpack(all, block * size, recv, num_elements, recv_type);
        }
        free(all);
    }
    return rc;
}

/* ---- selection ---- */

/* Without what served before there is nobody to hand on to: then this one stays out of that collective. From 6.0 on,
 * modules install themselves. */
#ifdef MCA_COLL_INSTALL_API
#define INSTALL(api) MCA_COLL_INSTALL_API(comm, api, module->super.coll_##api, super, "hitopo");
#define UNINSTALL(api)                                                                              \
    if (comm->c_coll->coll_##api##_module == super) {                                               \
        MCA_COLL_INSTALL_API(comm, api, module->next_##api, module->next_##api##_module, "hitopo"); \
    }
#else
#define INSTALL(api)
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

#ifdef MCA_COLL_INSTALL_API
static int disable(mca_coll_base_module_t *super, ompi_communicator_t *comm)
{
    hitopo_coll_module_t *module = (hitopo_coll_module_t *) super;

    HITOPO_COLL_FOR_EACH(UNINSTALL)
    return OMPI_SUCCESS;
}
#endif

#define ADD_INSTALLED(api) installed = installed << 1 | (api == comm->c_coll->coll_##api ? 1u : 0u);

unsigned hitopo_coll_installed(const ompi_communicator_t *comm)
{
    unsigned installed = 0;

    HITOPO_COLL_FOR_EACH(ADD_INSTALLED)
    return installed;
}

#define SERVE(api) module->super.coll_##api = api;

mca_coll_base_module_t *hitopo_coll_new_module(ompi_communicator_t *comm)
{
    hitopo_coll_module_t *module = OBJ_NEW(hitopo_coll_module_t);

    (void) comm;
    if (NULL == module) {
        return NULL;
    }
    module->super.coll_module_enable = enable;
#ifdef MCA_COLL_INSTALL_API
    module->super.coll_module_disable = disable;
#endif
    HITOPO_COLL_FOR_EACH(SERVE)
    return &module->super;
}
