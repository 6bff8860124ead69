/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component pmix: island and switch where the host environment tells PMIx of the fabric.
 */
#ifndef OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_H
#define OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers 0, or an OMPI_ERR_* code if memory ran out. Asks no server. */
int hitopo_pmix_query(const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
