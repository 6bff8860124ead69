/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Cartesian grids.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "ompi/constants.h"

/* 0 for what is no grid of several processes within the communicator: that is the base's to judge. */
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

typedef struct arguments_t {
    hitopo_topo_grid_t grid;
    bool reorder;
} arguments_t;

/* hitopo_topo_find_fn_t */
static int *order(ompi_communicator_t *comm, const void *arguments, int num, hitopo_base_order_t *gain)
{
    const arguments_t *given = arguments;
    hitopo_topo_processes_t processes = hitopo_topo_processes(comm, num);
    int *new_ranks = NULL == processes.positions ? NULL : malloc((size_t) num * sizeof(*new_ranks));

    if (NULL != new_ranks && OMPI_SUCCESS != hitopo_topo_order_grid(&processes, &given->grid, new_ranks, gain)) {
        free(new_ranks);
        new_ranks = NULL;
    }
    hitopo_topo_free_processes(&processes);
    return new_ranks;
}

static int create(void *arguments, mca_topo_base_module_t *module, ompi_communicator_t *comm,
                  ompi_communicator_t **newcomm)
{
    const arguments_t *given = arguments;

    return mca_topo_base_cart_create(module, comm, given->grid.num_dims, given->grid.dims, given->grid.periods,
                                     given->reorder, newcomm);
}

int hitopo_topo_cart_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_dims, const int *dims,
                            const int *periods, bool reorder, ompi_communicator_t **newcomm)
{
    arguments_t arguments = {{num_dims, dims, periods}, reorder};

    return hitopo_topo_create_in_order(module, comm, "MPI_Cart_create", reorder ? num_cells(comm, num_dims, dims) : 0,
                                       order, create, &arguments, newcomm); /* collective */
}

/* Without a message: who calls it need not be all. */
int hitopo_topo_cart_map(ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods, int *new_rank)
{
    const arguments_t arguments = {{num_dims, dims, periods}, true};
    const int num = num_cells(comm, num_dims, dims), rank = ompi_comm_rank(comm);
    int *new_ranks =
        rank < num && HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder() ? order(comm, &arguments, num, NULL) : NULL;

    if (NULL == new_ranks) {
        return mca_topo_base_cart_map(comm, num_dims, dims, periods, new_rank);
    }
    *new_rank = new_ranks[rank];
    free(new_ranks);
    return OMPI_SUCCESS;
}
