/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component's work without MPI: positions and who talks to whom in, new ranks out. Written in C++ for the C side.
 */
#ifndef MCA_TOPO_HITOPO_H
#define MCA_TOPO_HITOPO_H

#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ranks 0 .. num - 1 of a communicator. */
typedef struct hitopo_topo_processes_t {
    int num;
    hitopo_base_positions_t *positions; /* of all its ranks */
    const char *capacities;             /* topo_hitopo_capacity; NULL: none. What cannot be read counts as none */
} hitopo_topo_processes_t;

/* num_dims dimensions above 0, whose product is the number of processes. */
typedef struct hitopo_topo_grid_t {
    int num_dims;
    const int *dims, *periods; /* a period that is not 0: round its end */
} hitopo_topo_grid_t;

/* One message each way that the program says it will send; bytes above 0. */
typedef struct hitopo_topo_edge_t {
    int from, to, bytes;
} hitopo_topo_edge_t;

/* All: new_ranks[r] is the new rank of rank r, a permutation, and the identity where nothing is gained. OMPI_SUCCESS
 * or an OMPI_ERR_* code. Local. The same at all processes with the same arguments. `gain`: NULL, or what is gained,
 * where all but its function and flags are set. */
int hitopo_topo_order_grid(const hitopo_topo_processes_t *processes, const hitopo_topo_grid_t *grid, int *new_ranks,
                           hitopo_base_order_t *gain) HITOPO_NOEXCEPT;
/* Edges that leave 0 .. num - 1 are left out. */
int hitopo_topo_order_graph(const hitopo_topo_processes_t *processes, const hitopo_topo_edge_t *edges, size_t num_edges,
                            int *new_ranks, hitopo_base_order_t *gain) HITOPO_NOEXCEPT;

/* "k-d tree: switch 5472 -> 416, node 6048 -> 1568", the caller's to free; NULL if memory is short. */
char *hitopo_topo_gain_text(const hitopo_base_order_t *gain) HITOPO_NOEXCEPT;

/* What is wrong with topo_hitopo_capacity, the caller's to free; NULL if nothing is. */
char *hitopo_topo_wrong_capacities(const char *capacities) HITOPO_NOEXCEPT;

/* A number by which permutations can be told apart, not below 0. */
int64_t hitopo_topo_digest(const int *new_ranks, int num) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
