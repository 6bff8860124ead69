/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the profiler needs of Open MPI's internals, in plain types: MCA variables and messages.
 */
#ifndef OMPI_PROFILE_GLUE_H
#define OMPI_PROFILE_GLUE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_profile_settings_t {
    const char* report;       /* the path's pattern (report.h); NULL or "": no report */
    size_t max_communicators; /* that are counted */
} hitopo_profile_settings_t;

/* Registers hitopo_prof_* and gives their values, which belong to the MCA. After MPI_Init. Local. */
const hitopo_profile_settings_t* hitopo_profile_register(void);
const hitopo_profile_settings_t* hitopo_profile_settings(void);

/* Registers the counters as MPI_T performance variables. Once, after MPI_Init. Local. */
void hitopo_profile_register_pvars(void);

/* Prints a text for the user, who hears it from one process. */
void hitopo_profile_warn(const char* text);

#ifdef __cplusplus
}
#endif

#endif
