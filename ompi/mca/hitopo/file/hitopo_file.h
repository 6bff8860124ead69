/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component file: any level from a map that the site, the user or `hitopo map` writes; switch and
 * island from Slurm's topology.conf (docs/levels.md).
 */
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_file_settings_t {
    const char *path; /* hitopo_file_path; NULL or "": none */
} hitopo_file_settings_t;

/* Returns 0, or an OMPI_ERR_* code if memory ran out. */
int hitopo_file_query(const hitopo_file_settings_t *settings, const hitopo_question_t *question,
                      hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
