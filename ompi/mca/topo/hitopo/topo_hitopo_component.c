/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component topo/hitopo: for which communicators it makes topologies.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "ompi/constants.h"

/* Above treematch's 42, whose neighbours are wrong in Open MPI 4.1 (docs/upstream.md). */
enum { PRIORITY = 60 };

static int init_query(bool enable_progress_threads, bool enable_mpi_threads)
{
    (void) enable_progress_threads;
    (void) enable_mpi_threads;
    return OMPI_SUCCESS;
}

/* NULL functions are the base's. OBJ_NEW would not set them to NULL. */
static mca_topo_base_module_t *new_module(uint32_t type)
{
    mca_topo_base_module_t *module = calloc(1, sizeof(*module));

    if (NULL == module) {
        return NULL;
    }
    OBJ_CONSTRUCT(module, mca_topo_base_module_t);
    module->type = type;
    if (OMPI_COMM_CART == type) {
        module->topo.cart.cart_create = hitopo_topo_cart_create;
        module->topo.cart.cart_map = hitopo_topo_cart_map;
    } else if (OMPI_COMM_GRAPH == type) {
        module->topo.graph.graph_create = hitopo_topo_graph_create;
        module->topo.graph.graph_map = hitopo_topo_graph_map;
    } else {
        module->topo.dist_graph.dist_graph_create = hitopo_topo_dist_graph_create;
        module->topo.dist_graph.dist_graph_create_adjacent = hitopo_topo_dist_graph_create_adjacent;
    }
    return module;
}

/* Open MPI asks each process by itself: the answer follows from values that all have in common since MPI_Init. */
static mca_topo_base_module_t *module_for(const ompi_communicator_t *comm, int *priority, uint32_t type)
{
    if (NULL == comm || OMPI_COMM_IS_INTER(comm) || ompi_hitopo_base_has_outsiders(comm)
        || HITOPO_TOPO_REORDER_NOT_AGREED == hitopo_topo_reorder()) {
        return NULL;
    }
    *priority = PRIORITY;
    return new_module(type);
}

#if OMPI_MAJOR_VERSION < 5
static mca_topo_base_module_t *query(const ompi_communicator_t *comm, int *priority, uint32_t type)
{
    return module_for(comm, priority, type);
}
#else
static mca_topo_base_module_t *query(const ompi_communicator_t *comm, const ompi_group_t *group, int *priority,
                                     uint32_t type)
{
    (void) group;
    return module_for(comm, priority, type);
}
#endif

mca_topo_base_component_t mca_topo_hitopo_component = {
    .topoc_version = {MCA_TOPO_BASE_VERSION_2_2_0, .mca_component_name = "hitopo",
                      MCA_BASE_MAKE_VERSION(component, 0, 2, 0), .mca_register_component_params = hitopo_topo_register},
    .topoc_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .topoc_init_query = init_query,
#if OMPI_MAJOR_VERSION < 5
    .topoc_comm_query = query,
#else
    .topoc_query = query,
#endif
};
#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, topo, hitopo)
#endif
