/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "ompi/mca/topo/hitopo/scotch/hitopo_scotch.h"

#include <stdbool.h>
#include <stdio.h>

#include <scotch.h>

/* Beyond what a group can hold, in parts of it. Who comes too many to one is put elsewhere afterwards. */
static const double imbalance = 0.01;

static SCOTCH_Num num_leaves(const hitopo_scotch_job_t *job)
{
    SCOTCH_Num num = 1;

    for (int32_t i = 0; i < job->num_levels; ++i) {
        num *= job->num_children[i];
    }
    return num;
}

static int map_to(const hitopo_scotch_job_t *job, SCOTCH_Graph *graph, SCOTCH_Arch *arch, int32_t *leaf_of)
{
    SCOTCH_Strat strategy;

    if (0 != SCOTCH_stratInit(&strategy)) {
        return 1;
    }
    int rc = SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, job->num_vertices, imbalance);
    if (0 == rc) {
        rc = SCOTCH_graphMap(graph, arch, &strategy, leaf_of);
    }
    SCOTCH_stratExit(&strategy);
    return rc;
}

/* Onto the leaves that there are of the whole tree. */
static int map_to_part(const hitopo_scotch_job_t *job, SCOTCH_Graph *graph, SCOTCH_Arch *whole, int32_t *leaf_of)
{
    SCOTCH_Arch part;

    if (num_leaves(job) == job->num_vertices) {
        return map_to(job, graph, whole, leaf_of);
    }
    if (0 != SCOTCH_archInit(&part)) {
        return 1;
    }
    int rc = SCOTCH_archSub(&part, whole, job->num_vertices, job->leaves);
    if (0 == rc) {
        rc = map_to(job, graph, &part, leaf_of);
    }
    SCOTCH_archExit(&part);
    return rc;
}

/* Onto the whole machine or a part of it. */
static int map_graph(const hitopo_scotch_job_t *job, SCOTCH_Graph *graph, int32_t *leaf_of)
{
    SCOTCH_Arch whole;

    if (0 != SCOTCH_archInit(&whole)) {
        return 1;
    }
    int rc = SCOTCH_archTleaf(&whole, job->num_levels, job->num_children, job->costs);
    if (0 == rc) {
        rc = map_to_part(job, graph, &whole, leaf_of);
    }
    SCOTCH_archExit(&whole);
    return rc;
}

#if SCOTCH_VERSION >= 7
/* From 7.0 on Scotch takes threads for all processors, which are other processes', and each time comes to something
 * else. */
static int map_alone(const hitopo_scotch_job_t *job, SCOTCH_Graph *graph, int32_t *leaf_of)
{
    SCOTCH_Context context;
    SCOTCH_Graph bound;
    int rc = 1;

    if (0 != SCOTCH_contextInit(&context)) {
        return 1;
    }
    if (0 == SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1)
        && 0 == SCOTCH_contextThreadSpawn(&context, 1, NULL) && 0 == SCOTCH_graphInit(&bound)) {
        rc = SCOTCH_contextBindGraph(&context, graph, &bound);
        if (0 == rc) {
            SCOTCH_contextRandomReset(&context);
            rc = map_graph(job, &bound, leaf_of);
        }
        SCOTCH_graphExit(&bound);
    }
    SCOTCH_contextExit(&context);
    return rc;
}
#else
static int map_alone(const hitopo_scotch_job_t *job, SCOTCH_Graph *graph, int32_t *leaf_of)
{
    SCOTCH_randomReset();
    return map_graph(job, graph, leaf_of);
}
#endif

#pragma GCC visibility push(default)
int ompi_hitopo_scotch_map(const hitopo_scotch_job_t *job, int32_t *leaf_of)
{
    SCOTCH_Graph graph;

    if (sizeof(int32_t) != SCOTCH_numSizeof() || sizeof(SCOTCH_Num) != sizeof(int32_t)
        || 0 != SCOTCH_graphInit(&graph)) {
        return 1;
    }
    int rc = SCOTCH_graphBuild(&graph, 0, job->num_vertices, job->starts, job->starts + 1, NULL, NULL,
                               job->starts[job->num_vertices], job->neighbours, job->weights);
    if (0 == rc) {
        rc = map_alone(job, &graph, leaf_of);
    }
    SCOTCH_graphExit(&graph);
    return rc;
}
#pragma GCC visibility pop
