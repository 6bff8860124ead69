/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective that knows all levels: MPI_Bcast whose message crosses into each cluster, island,
 * switch, node, socket and core of the communicator once. It is an Open MPI component in one file:
 *
 *     mpicc -shared -fPIC coll_levels.c -o mca_coll_levels.so $(pkg-config --cflags --libs hitopo-component)
 *
 * README.md beside this file has the whole commands.
 */
#include "ompi_config.h"

#include <stdlib.h>
#include <string.h>

#include "mpi.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/base/coll_tags.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "opal/util/output.h"

#include "ompi/mca/hitopo/hitopo.h"

/* What Open MPI's versions call differently. */
#if OMPI_MAJOR_VERSION < 5
#define COLL_VERSION MCA_COLL_BASE_VERSION_2_0_0
typedef int bcast_count_t;
#elif OMPI_MAJOR_VERSION < 6
#define COLL_VERSION MCA_COLL_BASE_VERSION_2_4_0
typedef int bcast_count_t;
#else
#define COLL_VERSION MCA_COLL_BASE_VERSION_3_0_0
typedef size_t bcast_count_t;
#endif

typedef struct levels_module_t {
    mca_coll_base_module_t super;
    /* What served before us, for communicators without a table. */
    mca_coll_base_module_bcast_fn_t next_bcast;
    mca_coll_base_module_t *next_module;
} levels_module_t;

static void construct(levels_module_t *module)
{
    module->next_bcast = NULL;
    module->next_module = NULL;
}

static void destruct(levels_module_t *module)
{
    if (NULL != module->next_module) {
        OBJ_RELEASE(module->next_module);
    }
}

static OBJ_CLASS_INSTANCE(levels_module_t, mca_coll_base_module_t, construct, destruct);

/* How many outer levels two addresses share. */
static int common_levels(const hitopo_int_t *a, const hitopo_int_t *b)
{
    int level = 0;

    while (level < HITOPO_NUM_LEVELS && a[level] == b[level]) {
        ++level;
    }
    return level;
}

/* The process that hands the message to the others that share `depth` levels with `rank`: the root if
 * it is one of them, else the lowest rank. */
static int leader_of(hitopo_int_t **addrs, int size, int rank, int depth, int root)
{
    if (common_levels(addrs[rank], addrs[root]) >= depth) {
        return root;
    }
    for (int other = 0; other < size; ++other) {
        if (common_levels(addrs[rank], addrs[other]) >= depth) {
            return other;
        }
    }
    return rank;
}

/* From whom `rank` gets the message: the leader one level outside the outermost group that it leads. */
static int parent_of(hitopo_int_t **addrs, int size, int rank, int root)
{
    int outer = root;

    for (int depth = 1; depth <= HITOPO_NUM_LEVELS; ++depth) {
        const int leader = leader_of(addrs, size, rank, depth, root);
        if (leader == rank) {
            return outer;
        }
        outer = leader;
    }
    return outer; /* the address is not unique: its lowest rank sends */
}

static int bcast(void *buffer, bcast_count_t count, struct ompi_datatype_t *datatype, int root,
                 struct ompi_communicator_t *comm, mca_coll_base_module_t *super)
{
    levels_module_t *module = (levels_module_t *) super;
    const int rank = ompi_comm_rank(comm), size = ompi_comm_size(comm);
    /* Asked here and not in comm_query: MPI_COMM_WORLD's table is made after its collectives are
     * chosen. The same answer at all ranks. */
    hitopo_int_t **addrs = ompi_hitopo_get_addrs(comm);
    int rc = OMPI_SUCCESS;

    if (NULL == addrs) {
        return module->next_bcast(buffer, count, datatype, root, comm, module->next_module);
    }
    if (rank != root) {
        rc = MCA_PML_CALL(recv(buffer, count, datatype, parent_of(addrs, size, rank, root), MCA_COLL_BASE_TAG_BCAST,
                               comm, MPI_STATUS_IGNORE));
    }
    for (int child = 0; child < size && OMPI_SUCCESS == rc; ++child) {
        if (child != root && rank == parent_of(addrs, size, child, root)) {
            opal_output_verbose(10, ompi_coll_base_framework.framework_output,
                                "coll:levels: %d sends to %d over %d levels", rank, child,
                                HITOPO_NUM_LEVELS - common_levels(addrs[rank], addrs[child]));
            rc = MCA_PML_CALL(
                send(buffer, count, datatype, child, MCA_COLL_BASE_TAG_BCAST, MCA_PML_BASE_SEND_STANDARD, comm));
        }
    }
    return rc;
}

static int enable(mca_coll_base_module_t *super, struct ompi_communicator_t *comm)
{
    levels_module_t *module = (levels_module_t *) super;

    module->next_bcast = comm->c_coll->coll_bcast;
    module->next_module = comm->c_coll->coll_bcast_module;
    if (NULL == module->next_bcast) {
        return OMPI_ERR_NOT_AVAILABLE;
    }
    OBJ_RETAIN(module->next_module);
#ifdef MCA_COLL_INSTALL_API /* from 6.0 on, a module does that itself */
    MCA_COLL_INSTALL_API(comm, bcast, bcast, super, "levels");
#endif
    return OMPI_SUCCESS;
}

static mca_coll_base_module_t *query(struct ompi_communicator_t *comm, int *priority)
{
    if (OMPI_COMM_IS_INTER(comm) || 1 == ompi_comm_size(comm)) {
        return NULL;
    }
    levels_module_t *module = OBJ_NEW(levels_module_t);
    if (NULL == module) {
        return NULL;
    }
    *priority = 90; /* above coll/tuned */
    module->super.coll_module_enable = enable;
    module->super.coll_bcast = bcast;
    return &module->super;
}

static int init_query(bool enable_progress_threads, bool enable_mpi_threads)
{
    (void) enable_progress_threads;
    (void) enable_mpi_threads;
    return OMPI_SUCCESS;
}

mca_coll_base_component_t mca_coll_levels_component = {
    .collm_version =
        {
            COLL_VERSION,
            .mca_component_name = "levels",
            MCA_BASE_MAKE_VERSION(component, 0, 1, 0),
        },
    .collm_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .collm_init_query = init_query,
    .collm_comm_query = query,
};
