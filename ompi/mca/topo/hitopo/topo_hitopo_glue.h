/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The interface between the component's C files.
 */
#ifndef MCA_TOPO_HITOPO_GLUE_H
#define MCA_TOPO_HITOPO_GLUE_H

#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/topo/base/base.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/topo/hitopo/topo_hitopo.h"

extern mca_topo_base_component_t mca_topo_hitopo_component;

/* ---- topo_hitopo_variables.c ---- */

typedef enum hitopo_topo_reorder_t {
    HITOPO_TOPO_REORDER_NOT_AGREED, /* processes differ, or there is no tree */
    HITOPO_TOPO_REORDER_OFF,        /* ranks stay */
    HITOPO_TOPO_REORDER_REPORT,     /* ranks stay, and the possible gain is shown */
    HITOPO_TOPO_REORDER_ON
} hitopo_topo_reorder_t;

int hitopo_topo_register(void);
/* The same at all processes of MPI_COMM_WORLD. Local; thread safe. */
hitopo_topo_reorder_t hitopo_topo_reorder(void);
/* topo_hitopo_capacity; NULL: not set. */
const char *hitopo_topo_capacity(void);
/* Whether the user wants to see the gain. */
bool hitopo_topo_is_verbose(void);

/* ---- topo_hitopo_permute.c ---- */

/* Whether this process has to find an order: all of comm have, or where ranks stay rank 0, to show the gain. Local. */
bool hitopo_topo_is_asked(ompi_communicator_t *comm);

/* New ranks of comm's ranks 0 .. num - 1, the caller's to free; NULL where comm has no tree or memory is short. num is
 * at most comm's size. gain: NULL, or is set. Local. */
int *hitopo_topo_find_order(ompi_communicator_t *comm, int num, const hitopo_topo_shape_t *shape,
                            hitopo_base_order_t *gain);

/* Whether this process has a new rank in such an order: only where topo_hitopo_reorder is on. It sends no message: not
 * all processes need to call MPI_Cart_map and MPI_Graph_map. */
bool hitopo_topo_map(ompi_communicator_t *comm, int num, const hitopo_topo_shape_t *shape, int *new_rank);

/* Reports the gain to the profiler, and to the user who asked for it: at rank 0 of comm. */
void hitopo_topo_show_gain(ompi_communicator_t *comm, const hitopo_base_order_t *gain);

bool hitopo_topo_is_identity(const int *new_ranks, int num);

/* Memory for num things and one more, where the others of comm wait for this process in `function`: ends the job if
 * memory is short (docs/design.md, "Who fails alone"). The caller's to free. */
void *hitopo_topo_need(ompi_communicator_t *comm, const char *function, int64_t num, size_t size);

/* The members of a topology's communicator: comm itself where new_ranks is NULL; else its ranks 0 .. num - 1 under
 * their new ranks, which all have alike, and MPI_COMM_NULL at the others. Frees new_ranks. Collective over comm. */
int hitopo_topo_permute(ompi_communicator_t *comm, const char *function, int *new_ranks, int num,
                        ompi_communicator_t **members);

/* The same with new ranks that each process finds by itself, if all find the same. num 0: ranks stay. shape: read only
 * where hitopo_topo_is_asked. Shows the gain. Collective over comm. */
int hitopo_topo_reorder_members(ompi_communicator_t *comm, const char *function, int num,
                                const hitopo_topo_shape_t *shape, ompi_communicator_t **members);

/* Frees the members, if they are not comm itself. The module is given up where this process is none. rc: of what made
 * newcomm of them, and is returned. */
int hitopo_topo_end(mca_topo_base_module_t *module, ompi_communicator_t *comm, ompi_communicator_t *members, int rc,
                    ompi_communicator_t **newcomm);

/* ---- topo_hitopo_lists.c: one process's neighbours in a distributed graph, on their way to another ---- */

typedef struct hitopo_topo_list_t {
    int degree;
    const int *ranks;
    const int *weights; /* or MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY */
} hitopo_topo_list_t;

typedef struct hitopo_topo_lists_t {
    hitopo_topo_list_t sources, destinations;
    int *memory; /* of all of them; NULL: they are the caller's */
} hitopo_topo_lists_t;

/* Gives `lists` to the process whose new rank is this one's rank, and gets those of the rank that this process becomes.
 * Collective over comm, with equal new ranks. */
int hitopo_topo_move_lists(ompi_communicator_t *comm, const char *function, const int *new_ranks,
                           const hitopo_topo_lists_t *lists, hitopo_topo_lists_t *moved);
void hitopo_topo_free_lists(hitopo_topo_lists_t *lists);

/* ---- topo_hitopo_cart.c, topo_hitopo_graph.c, topo_hitopo_dist_graph.c ----
 * As the functions of the base, whose communicators they are; with other ranks where topo_hitopo_reorder is on. */

int hitopo_topo_cart_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_dims, const int *dims,
                            const int *periods, bool reorder, ompi_communicator_t **newcomm);
int hitopo_topo_cart_map(ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods, int *new_rank);

int hitopo_topo_graph_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num_nodes, const int *index,
                             const int *edges, bool reorder, ompi_communicator_t **newcomm);
int hitopo_topo_graph_map(ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges, int *new_rank);

int hitopo_topo_dist_graph_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int num, const int *nodes,
                                  const int *degrees, const int *targets, const int *weights, struct opal_info_t *info,
                                  int reorder, ompi_communicator_t **newcomm);
int hitopo_topo_dist_graph_create_adjacent(mca_topo_base_module_t *module, ompi_communicator_t *comm, int indegree,
                                           const int *sources, const int *source_weights, int outdegree,
                                           const int *destinations, const int *destination_weights,
                                           struct opal_info_t *info, int reorder, ompi_communicator_t **newcomm);

#endif
