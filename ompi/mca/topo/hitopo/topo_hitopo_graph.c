/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs that each process has as a whole.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "ompi/constants.h"

typedef struct graph_t {
    int num_nodes;
    const int *index, *edges;
    bool reorder;
} graph_t;

/* Their number, and the caller's to free; NULL if memory is short. */
static hitopo_topo_edge_t *edges_of(const graph_t *graph, size_t *num)
{
    const int num_edges = graph->index[graph->num_nodes - 1];
    hitopo_topo_edge_t *all = malloc((0 < num_edges ? (size_t) num_edges : 1) * sizeof(*all));
    int node = 0;

    *num = 0;
    for (int i = 0; NULL != all && i < num_edges; ++i) {
        while (node < graph->num_nodes - 1 && i >= graph->index[node]) {
            ++node;
        }
        all[(*num)++] = (hitopo_topo_edge_t){node, graph->edges[i], 1};
    }
    return all;
}

/* hitopo_topo_find_fn_t */
static int *order(ompi_communicator_t *comm, const void *arguments, int num, hitopo_base_order_t *gain)
{
    size_t num_edges;
    hitopo_topo_processes_t processes = hitopo_topo_processes(comm, num);
    hitopo_topo_edge_t *edges = edges_of(arguments, &num_edges);
    int *new_ranks = NULL == processes.positions || NULL == edges ? NULL : malloc((size_t) num * sizeof(*new_ranks));

    if (NULL != new_ranks && OMPI_SUCCESS != hitopo_topo_order_graph(&processes, edges, num_edges, new_ranks, gain)) {
        free(new_ranks);
        new_ranks = NULL;
    }
    free(edges);
    hitopo_topo_free_processes(&processes);
    return new_ranks;
}

static int create(void *arguments, mca_topo_base_module_t *module, ompi_communicator_t *comm,
                  ompi_communicator_t **newcomm)
{
    const graph_t *graph = arguments;

    return mca_topo_base_graph_create(module, comm, graph->num_nodes, graph->index, graph->edges, graph->reorder,
                                      newcomm);
}

int hitopo_topo_graph_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_nodes, const int *index,
                             const int *edges, bool reorder, ompi_communicator_t **newcomm)
{
    graph_t graph = {num_nodes, index, edges, reorder};
    const bool has_order = reorder && 1 < num_nodes && num_nodes <= ompi_comm_size(comm);

    return hitopo_topo_create_in_order(module, comm, "MPI_Graph_create", has_order ? num_nodes : 0, order, create,
                                       &graph, newcomm); /* collective */
}

/* Without a message: who calls it need not be all. */
int hitopo_topo_graph_map(ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges, int *new_rank)
{
    const graph_t graph = {num_nodes, index, edges, true};
    const int rank = ompi_comm_rank(comm);
    const bool is_asked =
        rank < num_nodes && num_nodes <= ompi_comm_size(comm) && HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder();
    int *new_ranks = is_asked ? order(comm, &graph, num_nodes, NULL) : NULL;

    if (NULL == new_ranks) {
        return mca_topo_base_graph_map(comm, num_nodes, index, edges, new_rank);
    }
    *new_rank = new_ranks[rank];
    free(new_ranks);
    return OMPI_SUCCESS;
}
