/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs that each process has as a whole.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "ompi/constants.h"

/* The caller's to free; NULL if memory is short. */
static hitopo_topo_edge_t *edges_of(int num_nodes, const int *index, const int *edges, hitopo_topo_shape_t *shape)
{
    const int num_edges = index[num_nodes - 1];
    hitopo_topo_edge_t *all = malloc((0 < num_edges ? (size_t) num_edges : 1) * sizeof(*all));
    int node = 0;

    for (int i = 0; NULL != all && i < num_edges; ++i) {
        while (node < num_nodes - 1 && i >= index[node]) {
            ++node;
        }
        all[shape->num_edges++] = (hitopo_topo_edge_t){node, edges[i], 1};
    }
    shape->edges = all;
    return all;
}

int hitopo_topo_graph_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_nodes, const int *index,
                             const int *edges, bool reorder, ompi_communicator_t **newcomm)
{
    const bool has_order = reorder && 1 < num_nodes && num_nodes <= ompi_comm_size(comm);
    hitopo_topo_shape_t shape = {.num_dims = 0};
    hitopo_topo_edge_t *memory =
        has_order && hitopo_topo_is_asked(comm) ? edges_of(num_nodes, index, edges, &shape) : NULL;
    ompi_communicator_t *members;
    int rc = hitopo_topo_reorder_members(comm, "MPI_Graph_create", has_order ? num_nodes : 0, &shape,
                                         &members); /* collective */

    free(memory);
    if (OMPI_SUCCESS == rc && MPI_COMM_NULL != members) {
        rc = mca_topo_base_graph_create(module, members, num_nodes, index, edges, reorder, newcomm); /* collective */
    }
    return hitopo_topo_end(module, comm, members, rc, newcomm);
}

int hitopo_topo_graph_map(ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges, int *new_rank)
{
    const bool has_order = ompi_comm_rank(comm) < num_nodes && num_nodes <= ompi_comm_size(comm);
    hitopo_topo_shape_t shape = {.num_dims = 0};
    hitopo_topo_edge_t *memory = has_order ? edges_of(num_nodes, index, edges, &shape) : NULL;
    const bool has_rank = NULL != memory && hitopo_topo_map(comm, num_nodes, &shape, new_rank);

    free(memory);
    return has_rank ? OMPI_SUCCESS : mca_topo_base_graph_map(comm, num_nodes, index, edges, new_rank);
}
