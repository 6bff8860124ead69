/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * In Open MPI's own build, where HiTopo cannot be built (config/hitopo_left_out.m4): a framework without components,
 * and the functions that Open MPI's files call, which call Open MPI's own.
 */
#include "ompi_config.h"

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/constants.h"
#include "ompi/info/info.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_topo_map.h"
#include "opal/mca/base/base.h"

#include "ompi/mca/hitopo/base/static-components.h" /* needs the one above */

MCA_BASE_FRAMEWORK_DECLARE(ompi, hitopo, "Hierarchical topology (left out: see configure's summary)", NULL, NULL, NULL,
                           mca_hitopo_base_static_components, MCA_BASE_FRAMEWORK_FLAG_DEFAULT);

int ompi_hitopo_comm_split_type(struct ompi_communicator_t *comm, int split_type, int key, struct opal_info_t *info,
                                struct ompi_communicator_t **newcomm, ompi_hitopo_split_type_fn_t next)
{
    return next(comm, split_type, key, info, newcomm);
}

int ompi_hitopo_split_type(struct ompi_communicator_t *comm, int split_type, int key, struct ompi_info_t *info,
                           struct ompi_communicator_t **newcomm, ompi_hitopo_split_type_fn_t next)
{
    return next(comm, split_type, key, (struct opal_info_t *) info, newcomm);
}

int ompi_hitopo_hw_resource_info(struct ompi_info_t **hw_info)
{
    *hw_info = ompi_info_allocate();
    return NULL == *hw_info ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

bool ompi_hitopo_base_cart_map(struct ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods,
                               int *new_rank)
{
    (void) comm, (void) num_dims, (void) dims, (void) periods, (void) new_rank;
    return false;
}

bool ompi_hitopo_base_graph_map(struct ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges,
                                int *new_rank)
{
    (void) comm, (void) num_nodes, (void) index, (void) edges, (void) new_rank;
    return false;
}

void ompi_hitopo_base_stop_without_world(void)
{
}
