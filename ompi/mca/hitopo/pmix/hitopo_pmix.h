/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component pmix: island and switch where the host environment tells PMIx of the fabric; the node
 * where the machine itself has no name.
 */
#ifndef OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_H
#define OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_pmix_settings_t {
    const char *dimensions; /* hitopo_pmix_dimensions (pmix/pmix_place.h); NULL or "": none */
} hitopo_pmix_settings_t;

/* Answers 0, or an OMPI_ERR_* code if memory ran out. Asks no server. */
int hitopo_pmix_query(const hitopo_pmix_settings_t *settings, const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
