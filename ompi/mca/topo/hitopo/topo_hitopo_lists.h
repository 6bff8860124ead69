/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The neighbours of one process in a distributed graph, and their way to another process.
 */
#ifndef MCA_TOPO_HITOPO_LISTS_H
#define MCA_TOPO_HITOPO_LISTS_H

#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

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
 * By all processes of comm, each with the same new ranks. */
int hitopo_topo_move_lists(ompi_communicator_t *comm, const char *function, const int *new_ranks,
                           const hitopo_topo_lists_t *lists, hitopo_topo_lists_t *moved);
void hitopo_topo_free_lists(hitopo_topo_lists_t *lists);

#endif
