/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the profiler needs of Open MPI's internals, in plain types: MCA variables, messages, processes of groups.
 */
#ifndef OMPI_PROFILE_GLUE_H
#define OMPI_PROFILE_GLUE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_group_t;

typedef struct hitopo_profile_settings_t {
    const char *report;       /* the path's pattern (profiler/report/report_path.h); NULL or "": no report */
    size_t max_communicators; /* that are counted */
    size_t max_snapshots;     /* that a process keeps until the end */
    int max_peers;            /* processes of the largest job whose report has each peer; negative: of any */
    int every_s;              /* seconds between parts that a process writes by itself; 0: never; < 0: after SIGTERM */
    int counts_pairs;         /* whether bytes are counted for each pair of processes, in all communicators */
} hitopo_profile_settings_t;

/* Registers hitopo_prof_* and gives their values, which belong to the MCA. After MPI_Init. Local. */
const hitopo_profile_settings_t *hitopo_profile_register(void);
const hitopo_profile_settings_t *hitopo_profile_settings(void);

/* Registers a counter (profiler/count/counters.h) as MPI_T performance variable hitopo_prof_NAME, bound to a
 * communicator; its number is what it is read by. Both texts are copied. Local. */
void hitopo_profile_register_counter(int counter, const char *name, const char *what);

/* The ranks in MPI_COMM_WORLD of these ranks of a group; MPI_UNDEFINED for processes of other jobs. Local, in time
 * O(num): MPI_Group_translate_ranks compares each with each. */
void hitopo_profile_world_ranks(struct ompi_group_t *group, const int *ranks, int num, int *world_ranks);

/* Prints a text for the user, who hears it from one process. */
void hitopo_profile_warn(const char *text);

#ifdef __cplusplus
}
#endif

#endif
