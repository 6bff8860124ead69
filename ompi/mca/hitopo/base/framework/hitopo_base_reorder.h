/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What topo/hitopo is to do, which all processes have to have alike. Open MPI opens the framework topo at the first
 * grid or graph, where it is too late to agree: so its variables are registered here, and what they say travels with
 * the exchange.
 */
#ifndef OMPI_MCA_HITOPO_BASE_REORDER_H
#define OMPI_MCA_HITOPO_BASE_REORDER_H

#include <stdbool.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

typedef enum hitopo_reorder_t {
    HITOPO_REORDER_NOT_AGREED, /* nobody: processes differ, or there is no table */
    HITOPO_REORDER_OFF,        /* ranks stay */
    HITOPO_REORDER_REPORT,     /* ranks stay, and what would be gained is told */
    HITOPO_REORDER_ON
} hitopo_reorder_t;

/* ---- for the framework ---- */

int hitopo_glue_register_reorder(void);
/* This process's own. */
hitopo_reorder_t hitopo_glue_reorder(void);
/* A word that processes have alike which do the same; NULL where topo/hitopo is not there. Valid until the next call.
 */
const char *hitopo_glue_reorder_word(void);
/* At rank 0, of a value that is none. */
void hitopo_glue_tell_unknown_reorder(void);
/* The file of topo/hitopo's messages. */
const char *hitopo_glue_reorder_help(void);

/* ---- for topo/hitopo ---- */

#pragma GCC visibility push(default)
/* The same at all processes of MPI_COMM_WORLD. Local; thread safe. */
hitopo_reorder_t hitopo_base_reorder(void) HITOPO_NOEXCEPT;
/* topo_hitopo_capacity; NULL: not set. */
const char *hitopo_base_reorder_capacity(void);
/* Whether the user wants to hear what is gained. */
bool hitopo_base_reorder_is_verbose(void);

/* ---- for MPI_Cart_map and MPI_Graph_map, which of a communicator without topology ask no component ---- */

/* What topo/hitopo says; false, and *new_rank as it was, where that does not serve comm, or comm has a topology. comm
 * is a communicator, and the arguments are those of MPI. Local. */
bool hitopo_base_cart_map(struct ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods,
                          int *new_rank);
bool hitopo_base_graph_map(struct ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges,
                           int *new_rank);
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
