/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "ompi_config.h"

#include <string.h>

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_topo_map.h"
#include "ompi/mca/topo/base/base.h"

/* topo/hitopo's for such topologies of comm, the caller's to release; NULL where another component would make them. */
static mca_topo_base_module_t *module_of(struct ompi_communicator_t *comm, uint32_t type)
{
    mca_topo_base_module_t *module = NULL;

    if (!ompi_hitopo_base_is_common(HITOPO_TOPO_KEY) || OMPI_COMM_IS_TOPO(comm) || OMPI_COMM_IS_INTER(comm)
        || OMPI_SUCCESS != mca_topo_base_comm_select(comm, NULL, &module, type)) {
        return NULL;
    }
    if (0 != strcmp("hitopo", module->topo_component->topoc_version.mca_component_name)) {
        OBJ_RELEASE(module);
        return NULL;
    }
    return module;
}

bool ompi_hitopo_base_cart_map(struct ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods,
                               int *new_rank)
{
    mca_topo_base_module_t *module = module_of(comm, OMPI_COMM_CART);
    int said = MPI_UNDEFINED;
    bool is_said = NULL != module && OMPI_SUCCESS == module->topo.cart.cart_map(comm, num_dims, dims, periods, &said);

    if (NULL != module) {
        OBJ_RELEASE(module);
    }
    *new_rank = is_said ? said : *new_rank;
    return is_said;
}

bool ompi_hitopo_base_graph_map(struct ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges,
                                int *new_rank)
{
    mca_topo_base_module_t *module = 0 < num_nodes ? module_of(comm, OMPI_COMM_GRAPH) : NULL;
    int said = MPI_UNDEFINED;
    bool is_said = NULL != module && OMPI_SUCCESS == module->topo.graph.graph_map(comm, num_nodes, index, edges, &said);

    if (NULL != module) {
        OBJ_RELEASE(module);
    }
    *new_rank = is_said ? said : *new_rank;
    return is_said;
}
