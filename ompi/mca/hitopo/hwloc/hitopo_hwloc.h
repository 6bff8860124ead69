/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component hwloc: the node's hardware as hwloc sees it, real or simulated. Plain C between the
 * registration and the work.
 */
#ifndef OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_H
#define OMPI_MCA_HITOPO_HWLOC_HITOPO_HWLOC_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_hwloc_settings_t {
    const char *topology; /* hitopo_hwloc_topology; NULL or empty: the real machine */
    const char *binding;  /* hitopo_hwloc_binding; NULL or empty: the real one */

    /* Open MPI's own topology (an hwloc_topology_t, still Open MPI's), or NULL where it has none that
     * is cheap. Called at most once in a query, and only where a real machine is wanted. */
    void *(*ompi_topology)(void);

    /* Non-zero where Open MPI's topology comes from a file: it then describes another machine than
     * the one that hwloc would find here, and counts. */
    int is_ompi_topology_from_file;
} hitopo_hwloc_settings_t;

/*
 * Gives the machine if question->wants_machine, and in every process while a topology or a rule of
 * binding is simulated; and the simulated binding, which is "core" where only the topology is given. If
 * question->wants_devices it gives these alone, of a topology that it loads anew.
 *
 * Returns 0 or an OMPI_ERR_* code. Local. Bad settings are reported as errors, not returned.
 */
int hitopo_hwloc_query(const hitopo_hwloc_settings_t *settings, const hitopo_question_t *question,
                       hitopo_answer_t *answer);

/*
 * Begins to load the real machine in `program` (hitopo_hwloc_load.cc; empty where there is none), for the next query
 * that needs it. Loading takes milliseconds, on large nodes tens of them, and MPI_Init mostly waits. A thread of this
 * process would read the environment, which MPI_Init changes. Where the program fails, query loads; where
 * it takes more than timeout_ms, query gives no machine, but an error.
 */
void hitopo_hwloc_prepare(const char *program, int timeout_ms);

/* Ends that program, and forgets its result. OMPI_SUCCESS. */
int hitopo_hwloc_close(void);

#ifdef __cplusplus
}
#endif

#endif
