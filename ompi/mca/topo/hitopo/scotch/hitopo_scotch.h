/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What hitopo_scotch.so has: the one call of Scotch, in a shared object of its own. A program may have a Scotch of
 * another version or with other integers; this one's is found first by it, and by nobody else (RTLD_DEEPBIND).
 */
#ifndef OMPI_MCA_TOPO_HITOPO_SCOTCH_HITOPO_SCOTCH_H
#define OMPI_MCA_TOPO_HITOPO_SCOTCH_HITOPO_SCOTCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_scotch_job_t {
    /* The graph, each edge at both ends, none twice: neighbours[starts[v]] .. are those of vertex v. */
    int32_t num_vertices;
    const int32_t *starts; /* num_vertices + 1 */
    const int32_t *neighbours;
    const int32_t *weights; /* their sum is an int32_t */
    /* The tree, from its root: how many children each has, and what it costs to go from one to another. */
    int32_t num_levels;
    const int32_t *num_children;
    const int32_t *costs;
    /* The leaves that there are, of those of the whole tree; as many as vertices. */
    const int32_t *leaves;
} hitopo_scotch_job_t;

typedef int hitopo_scotch_map_fn_t(const hitopo_scotch_job_t *job, int32_t *leaf_of);

/* An index into leaves for each vertex; some may have several vertices, and some none. 0, or not if Scotch fails. */
hitopo_scotch_map_fn_t ompi_hitopo_scotch_map;

#ifdef __cplusplus
}
#endif

#endif
