/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the component's C files share.
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
    HITOPO_TOPO_REORDER_NOT_AGREED, /* nobody: processes differ, or there is no tree */
    HITOPO_TOPO_REORDER_OFF,        /* ranks stay */
    HITOPO_TOPO_REORDER_REPORT,     /* ranks stay, and what would be gained is told */
    HITOPO_TOPO_REORDER_ON
} hitopo_topo_reorder_t;

int hitopo_topo_register(void);
/* The same at all processes of MPI_COMM_WORLD. Local; thread safe. */
hitopo_topo_reorder_t hitopo_topo_reorder(void);
/* topo_hitopo_capacity; NULL: not set. */
const char *hitopo_topo_capacity(void);
/* Whether the user wants to hear what is gained. */
bool hitopo_topo_is_verbose(void);

/* ---- topo_hitopo_processes.c ---- */

/* The processes of comm's ranks 0 .. num - 1; num is at most comm's size. Positions are the caller's to free; NULL
 * where comm has no tree or memory is short. Local. */
hitopo_topo_processes_t hitopo_topo_processes(ompi_communicator_t *comm, int num);
/* Whether this process has to find an order: all of comm have, or where ranks stay rank 0, to tell of it. Local. */
bool hitopo_topo_is_asked(ompi_communicator_t *comm);
void hitopo_topo_free_processes(hitopo_topo_processes_t *processes);

/* Tells the gain to the profiler and to the user who asked for it: at rank 0 of comm. */
void hitopo_topo_tell(ompi_communicator_t *comm, const hitopo_base_order_t *gain);

/* ---- topo_hitopo_permute.c ---- */

bool hitopo_topo_is_identity(const int *new_ranks, int num);

/* Memory for num things and one more, where the others of comm wait for this process in `function`: ends the job where
 * there is none (docs/design.md, "Who fails alone"). The caller's to free. */
void *hitopo_topo_need(ompi_communicator_t *comm, const char *function, int64_t num, size_t size);

/* The new ranks of comm's ranks 0 .. num - 1, the caller's to free; NULL where they cannot be found. gain: NULL, or is
 * set. Local. */
typedef int *(*hitopo_topo_find_fn_t)(ompi_communicator_t *comm, const void *arguments, int num,
                                      hitopo_base_order_t *gain);

/* Makes a topology's communicator from another one: a function of the base with its arguments. */
typedef int (*hitopo_topo_create_fn_t)(void *arguments, mca_topo_base_module_t *module, ompi_communicator_t *comm,
                                       ompi_communicator_t **newcomm);

/* From comm itself where new_ranks is NULL; else from its ranks 0 .. num - 1 under their new ranks, which all have
 * alike, and MPI_COMM_NULL at the others. Frees new_ranks. Collective over comm. */
int hitopo_topo_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, const char *function, int *new_ranks,
                       int num, hitopo_topo_create_fn_t create, void *arguments, ompi_communicator_t **newcomm);

/* The same with new ranks that each process finds by itself, if all find the same. num 0: ranks stay. Shows the gain.
 * Collective over comm. */
int hitopo_topo_create_in_order(mca_topo_base_module_t *module, ompi_communicator_t *comm, const char *function,
                                int num, hitopo_topo_find_fn_t find, hitopo_topo_create_fn_t create, void *arguments,
                                ompi_communicator_t **newcomm);

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
