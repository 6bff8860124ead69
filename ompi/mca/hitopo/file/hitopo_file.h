/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component file: any level from a map that the site or the user writes; switch and island from the files that
 * describe a network to Slurm (docs/levels.md).
 */
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_file_settings_t {
    const char *path;     /* hitopo_file_path; NULL or "": none */
    const char *topology; /* hitopo_file_topology; NULL or "": the file's default */
    const char *labels;   /* hitopo_file_labels; NULL or "": the labels that we know */
} hitopo_file_settings_t;

/* Answers 0, or an OMPI_ERR_* code if memory ran out. */
int hitopo_file_query(const hitopo_file_settings_t *settings, const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
