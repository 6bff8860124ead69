/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slurm: cluster, island, switch and node from the environment that Slurm gives each
 * task; where its topology address is missing, one process of the job asks slurmctld for all.
 */
#ifndef OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_H
#define OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * hitopo_slurm_ask: the text that the job's first process has to publish, to be freed by the caller; NULL where this is
 * no Slurm job. If the topology address is missing, `program` asks slurmctld, for up to timeout_ms
 * (hitopo_slurm_timeout_ms; 0: never). "": there is no such program.
 */
char *hitopo_slurm_ask(const char *program, int timeout_ms);

/* Returns the text that the first process published, to be freed by the caller; NULL if nothing. */
typedef char *(*hitopo_slurm_published_fn_t)(void);

/* Answers 0, or an OMPI_ERR_* code if memory ran out. published: called only in a Slurm job whose tasks have no
 * topology address. */
int hitopo_slurm_query(hitopo_slurm_published_fn_t published, const hitopo_question_t *question,
                       hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
