/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For MPI_Cart_map and MPI_Graph_map, which of a communicator without topology ask no component.
 */
#ifndef OMPI_MCA_HITOPO_BASE_TOPO_MAP_H
#define OMPI_MCA_HITOPO_BASE_TOPO_MAP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* The key of the settings of topo/hitopo, which all processes should have in common: ompi_hitopo_base_set_common. */
#define HITOPO_TOPO_KEY "topo"

#pragma GCC visibility push(default)
/* Gets the rank from topo/hitopo; false, and *new_rank as it was, where that does not serve comm, or comm has a
 * topology. comm is a communicator, and the arguments are those of MPI. Local. */
bool ompi_hitopo_base_cart_map(struct ompi_communicator_t *comm, int num_dims, const int *dims, const int *periods,
                               int *new_rank);
bool ompi_hitopo_base_graph_map(struct ompi_communicator_t *comm, int num_nodes, const int *index, const int *edges,
                                int *new_rank);
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
