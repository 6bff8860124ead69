/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Cartesian grids.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include "ompi/constants.h"

/* 0 if it is no grid of several processes within the communicator: the base judges that. */
static int num_cells(ompi_communicator_t *comm, int num_dims, const int *dims)
{
    int64_t num = num_dims > 0 ? 1 : 0;

    for (int d = 0; d < num_dims && num > 0; ++d) {
        num *= dims[d];
        if (dims[d] <= 0 || num > ompi_comm_size(comm)) {
            num = 0;
        }
    }
    return 1 < num ? (int) num : 0;
}

int hitopo_topo_cart_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_dims, const int *dims,
                            const int *periods, bool reorder, ompi_communicator_t **newcomm)
{
    const hitopo_topo_shape_t grid = {.num_dims = num_dims, .dims = dims, .periods = periods};
    ompi_communicator_t *members;
    int rc = hitopo_topo_reorder_members(comm, "MPI_Cart_create", reorder ? num_cells(comm, num_dims, dims) : 0, &grid,
                                         &members); /* collective */

    if (OMPI_SUCCESS == rc && MPI_COMM_NULL != members) {
        rc = mca_topo_base_cart_create(module, members, num_dims, dims, periods, reorder, newcomm); /* collective */
    }
    return hitopo_topo_end(module, comm, members, rc, newcomm);
}

int hitopo_topo_cart_map(ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods, int *new_rank)
{
    const hitopo_topo_shape_t grid = {.num_dims = num_dims, .dims = dims, .periods = periods};

    return hitopo_topo_map(comm, num_cells(comm, num_dims, dims), &grid, new_rank)
               ? OMPI_SUCCESS
               : mca_topo_base_cart_map(comm, num_dims, dims, periods, new_rank);
}
