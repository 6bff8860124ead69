/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed graphs, of which each process has some edges: gathered once, and ordered by rank 0. The process that
 * becomes rank r then has the lists that rank r passed: they move between processes, and numbers in them do not change.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/constants.h"
#if OMPI_MAJOR_VERSION >= 6
#include "ompi/util/count_disp_array.h"
#endif

/* ---- all edges to rank 0, and an order back ---- */

enum { EDGE_INTS = sizeof(hitopo_topo_edge_t) / sizeof(int), MOST_EDGES = INT_MAX / EDGE_INTS };

typedef struct edges_t {
    hitopo_topo_edge_t *all; /* NULL for more than MOST_EDGES */
    int64_t num;
} edges_t;

static edges_t new_edges(ompi_communicator_t *comm, const char *function, int64_t capacity)
{
    edges_t edges = {NULL, 0};

    if (capacity <= MOST_EDGES) {
        edges.all = hitopo_topo_need(comm, function, capacity, sizeof(*edges.all));
    }
    return edges;
}

static void add_edges(edges_t *edges, int from, int degree, const int *targets, const int *weights)
{
    for (int i = 0; NULL != edges->all && i < degree; ++i) {
        edges->all[edges->num + i] = (hitopo_topo_edge_t){from, targets[i], MPI_UNWEIGHTED == weights ? 1 : weights[i]};
    }
    edges->num += degree;
}

/* The numbers of each process's edges, one after the other, to rank 0. Collective over comm. */
static int gather_ints(ompi_communicator_t *comm, const edges_t *own, const int *counts, const int *starts,
                       hitopo_topo_edge_t *all)
{
#if OMPI_MAJOR_VERSION < 6
    return comm->c_coll->coll_gatherv(own->all, (int) own->num * EDGE_INTS, MPI_INT, all, counts, starts, MPI_INT, 0,
                                      comm, comm->c_coll->coll_gatherv_module); /* collective */
#else
    ompi_count_array_t all_counts;
    ompi_disp_array_t all_starts;

    ompi_count_array_init(&all_counts, counts);
    ompi_disp_array_init(&all_starts, starts);
    return comm->c_coll->coll_gatherv(own->all, (size_t) own->num * EDGE_INTS, MPI_INT, all, all_counts, all_starts,
                                      MPI_INT, 0, comm, comm->c_coll->coll_gatherv_module); /* collective */
#endif
}

/* all: at rank 0, of the edges of all processes. Collective over comm. */
static int gather(ompi_communicator_t *comm, const char *function, const edges_t *own, hitopo_topo_edge_t *all)
{
    const int num_ints = (int) own->num * EDGE_INTS, size = 0 == ompi_comm_rank(comm) ? ompi_comm_size(comm) : 0;
    int *counts = hitopo_topo_need(comm, function, 2 * (int64_t) size, sizeof(*counts)), *starts = counts + size;
    int rc = comm->c_coll->coll_gather(&num_ints, 1, MPI_INT, counts, 1, MPI_INT, 0, comm,
                                       comm->c_coll->coll_gather_module); /* collective */

    if (OMPI_SUCCESS == rc) {
        for (int i = 0, sum = 0; i < size; sum += counts[i++]) {
            starts[i] = sum;
        }
        rc = gather_ints(comm, own, counts, starts, all); /* collective */
    }
    free(counts);
    return rc;
}

/* Frees own edges. new_ranks: the caller's to free, or NULL: ranks stay. gain: set at rank 0. Collective over comm. */
static int order(ompi_communicator_t *comm, edges_t *own, int **new_ranks, hitopo_base_order_t *gain)
{
    const int size = ompi_comm_size(comm);
    const bool is_root = 0 == ompi_comm_rank(comm);
    edges_t all = {NULL, 0};
    int *found = hitopo_topo_need(comm, gain->function, size, sizeof(*found)); /* the last one: whether they are */
    int rc = comm->c_coll->coll_allreduce(&own->num, &all.num, 1, MPI_INT64_T, MPI_SUM, comm,
                                          comm->c_coll->coll_allreduce_module); /* collective */

    found[size] = 0;
    if (OMPI_SUCCESS == rc && all.num <= MOST_EDGES) {
        all.all = hitopo_topo_need(comm, gain->function, is_root ? all.num : 0, sizeof(*all.all));
        rc = gather(comm, gain->function, own, all.all); /* collective */
        if (OMPI_SUCCESS == rc) {
            const hitopo_topo_shape_t shape = {.edges = all.all, .num_edges = (size_t) all.num};
            int *best = is_root ? hitopo_topo_find_order(comm, size, &shape, gain) : NULL;
            if (NULL != best) {
                memcpy(found, best, (size_t) size * sizeof(*found));
                found[size] = 1;
            }
            free(best);
            rc = comm->c_coll->coll_bcast(found, size + 1, MPI_INT, 0, comm,
                                          comm->c_coll->coll_bcast_module); /* collective */
        }
        free(all.all);
    }
    free(own->all);
    if (OMPI_SUCCESS != rc || 0 == found[size] || HITOPO_TOPO_REORDER_ON != hitopo_topo_reorder()
        || hitopo_topo_is_identity(found, size)) {
        free(found);
        found = NULL;
    }
    *new_ranks = found;
    return rc;
}

static bool is_asked(ompi_communicator_t *comm, int reorder)
{
    return 0 != reorder && 1 < ompi_comm_size(comm) && HITOPO_TOPO_REORDER_OFF != hitopo_topo_reorder();
}

/* ---- MPI_Dist_graph_create: any process may pass an edge, and lists stay where they are ---- */

typedef struct graph_t {
    int num;
    const int *nodes, *degrees, *targets, *weights;
} graph_t;

static edges_t edges_of(ompi_communicator_t *comm, const char *function, const graph_t *graph)
{
    int64_t capacity = 0;
    int first = 0;

    for (int i = 0; i < graph->num; ++i) {
        capacity += graph->degrees[i];
    }
    edges_t edges = new_edges(comm, function, capacity);
    for (int i = 0; i < graph->num; first += graph->degrees[i++]) {
        add_edges(&edges, graph->nodes[i], graph->degrees[i], graph->targets + first,
                  MPI_UNWEIGHTED == graph->weights ? MPI_UNWEIGHTED : graph->weights + first);
    }
    return edges;
}

int hitopo_topo_dist_graph_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num, const int *nodes,
                                  const int *degrees, const int *targets, const int *weights, struct opal_info_t *info,
                                  int reorder, ompi_communicator_t **newcomm)
{
    const graph_t graph = {num, nodes, degrees, targets, weights};
    hitopo_base_order_t gain = {.function = "MPI_Dist_graph_create", .is_weighted = MPI_UNWEIGHTED != weights};
    ompi_communicator_t *members;
    int *new_ranks = NULL;

    if (is_asked(comm, reorder)) {
        edges_t edges = edges_of(comm, gain.function, &graph);
        int rc = order(comm, &edges, &new_ranks, &gain); /* collective */
        if (OMPI_SUCCESS != rc) {
            return rc;
        }
        gain.is_applied = NULL != new_ranks;
        hitopo_topo_show_gain(comm, &gain);
    }
    int rc = hitopo_topo_permute(comm, gain.function, new_ranks, ompi_comm_size(comm), &members); /* collective */
    if (OMPI_SUCCESS == rc) {
        rc = mca_topo_base_dist_graph_create(module, members, num, nodes, degrees, targets, weights, info, reorder,
                                             newcomm); /* collective */
    }
    return hitopo_topo_end(module, comm, members, rc, newcomm);
}

/* ---- MPI_Dist_graph_create_adjacent ---- */

/* Counts each edge once, which stands in two lists. */
static void show_halves(ompi_communicator_t *comm, hitopo_base_order_t *gain)
{
    for (int i = 0; i < gain->num_levels; ++i) {
        gain->before[i] /= 2;
        gain->after[i] /= 2;
    }
    hitopo_topo_show_gain(comm, gain);
}

/* An edge stands in the list of either end, mostly in both: then it weighs twice, as all do. */
static edges_t edges_of_lists(ompi_communicator_t *comm, const char *function, const hitopo_topo_lists_t *lists)
{
    const hitopo_topo_list_t *in = &lists->sources, *out = &lists->destinations;
    const int rank = ompi_comm_rank(comm);
    edges_t edges = new_edges(comm, function, (int64_t) in->degree + out->degree);

    add_edges(&edges, rank, out->degree, out->ranks, out->weights);
    for (int i = 0; i < in->degree; ++i) {
        add_edges(&edges, in->ranks[i], 1, &rank, MPI_UNWEIGHTED == in->weights ? MPI_UNWEIGHTED : in->weights + i);
    }
    return edges;
}

int hitopo_topo_dist_graph_create_adjacent(mca_topo_base_module_t *module, ompi_communicator_t *comm, int indegree,
                                           const int *sources, const int *source_weights, int outdegree,
                                           const int *destinations, const int *destination_weights,
                                           struct opal_info_t *info, int reorder, ompi_communicator_t **newcomm)
{
    hitopo_topo_lists_t lists = {.sources = {indegree, sources, source_weights},
                                 .destinations = {outdegree, destinations, destination_weights},
                                 .memory = NULL};
    hitopo_base_order_t gain = {.function = "MPI_Dist_graph_create_adjacent",
                                .is_weighted = MPI_UNWEIGHTED != destination_weights};
    hitopo_topo_lists_t moved = {.memory = NULL};
    const hitopo_topo_list_t *in = &lists.sources, *out = &lists.destinations;
    ompi_communicator_t *members;
    int *new_ranks = NULL;

    if (is_asked(comm, reorder)) {
        edges_t edges = edges_of_lists(comm, gain.function, &lists);
        int rc = order(comm, &edges, &new_ranks, &gain); /* collective */
        if (NULL != new_ranks) {
            rc = hitopo_topo_move_lists(comm, gain.function, new_ranks, &lists, &moved); /* all of comm */
            lists = moved;
        }
        if (OMPI_SUCCESS != rc) {
            free(new_ranks);
            hitopo_topo_free_lists(&moved);
            return rc;
        }
        gain.is_applied = NULL != new_ranks;
        show_halves(comm, &gain);
    }
    int rc = hitopo_topo_permute(comm, gain.function, new_ranks, ompi_comm_size(comm), &members); /* collective */
    if (OMPI_SUCCESS == rc) {
        rc =
            mca_topo_base_dist_graph_create_adjacent(module, members, in->degree, in->ranks, in->weights, out->degree,
                                                     out->ranks, out->weights, info, reorder, newcomm); /* collective */
    }
    hitopo_topo_free_lists(&moved);
    return hitopo_topo_end(module, comm, members, rc, newcomm);
}
