/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component's work without MPI: positions and neighbours in, new ranks out. Written in C++ for the C side.
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

/* A message each way, by the program's own account; bytes above 0. */
typedef struct hitopo_topo_edge_t {
    int from, to, bytes;
} hitopo_topo_edge_t;

/* The thing to order: a grid if there are dimensions, else a graph. */
typedef struct hitopo_topo_shape_t {
    int num_dims;                    /* above 0 each; their product is the number of processes */
    const int *dims, *periods;       /* a period that is not 0: round its end */
    const hitopo_topo_edge_t *edges; /* those that leave the processes are left out */
    size_t num_edges;
} hitopo_topo_shape_t;

/* positions: of a communicator of num ranks at least, of which 0 .. num - 1 are ordered. capacities:
 * topo_hitopo_capacity; NULL: none. A wrong list counts as none. new_ranks[r] is the new rank of rank r, a permutation,
 * and the identity where nothing is gained. `gain`: NULL, or the gain, of which all but the function and flags are set.
 * OMPI_SUCCESS or an OMPI_ERR_* code. Local. The same at all processes with the same arguments. */
int hitopo_topo_order(hitopo_base_positions_t *positions, const char *capacities, const hitopo_topo_shape_t *shape,
                      int num, int *new_ranks, hitopo_base_order_t *gain) HITOPO_NOEXCEPT;

/* "k-d tree: switch 5472 -> 416, node 6048 -> 1568", the caller's to free; NULL if memory is short. */
char *hitopo_topo_gain_text(const hitopo_base_order_t *gain) HITOPO_NOEXCEPT;

/* The faults in the variables, a line each, the caller's to free; NULL if there are none. */
char *hitopo_topo_wrong_settings(const char *reorder, const char *capacities) HITOPO_NOEXCEPT;

/* A number by which permutations are distinguished, not below 0. */
int64_t hitopo_topo_digest(const int *new_ranks, int num) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
