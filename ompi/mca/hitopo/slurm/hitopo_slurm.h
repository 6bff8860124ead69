/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slurm: cluster, island, switch and node from the environment that Slurm gives each task.
 */
#ifndef OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_H
#define OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers 0, or an OMPI_ERR_* code if memory ran out. */
int hitopo_slurm_query(const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
