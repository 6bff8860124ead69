/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component file: any level from a map that the site or the user writes; switch and island from the files that
 * describe a network to Slurm (docs/levels.md).
 */
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_file_settings_t {
    const char *path;     /* hitopo_file_path; NULL or "": none */
    const char *topology; /* hitopo_file_topology; NULL or "": the file's default */
    const char *labels;   /* hitopo_file_labels; NULL or "": the labels that we know */
    const char *unknown;  /* hitopo_file_unknown; NULL or "": the words that we know
                             (core/network/placeholders.h) */
} hitopo_file_settings_t;

/*
 * hitopo_file_publish: what the file tells of these nodes, for hitopo_file_shared, to be freed by the caller; NULL
 * where it is a map, cannot be used, or that is more than can be published. nodes: names with commas.
 */
char *hitopo_file_publish(const hitopo_file_settings_t *settings, const char *nodes);

/* Gives what the first process published, to be freed by the caller; NULL if nothing. */
typedef char *(*hitopo_file_published_fn_t)(void);

/* published: NULL where each node reads the file. Answers 0, or an OMPI_ERR_* code if memory ran out. */
int hitopo_file_query(const hitopo_file_settings_t *settings, hitopo_file_published_fn_t published,
                      const hitopo_question_t *question, hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
