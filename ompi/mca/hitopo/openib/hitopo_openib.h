/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component openib's work, as its registration calls it.
 */
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_openib_settings_t {
    const char *fabric_file; /* ibnetdiscover's output; NULL or "": none */
} hitopo_openib_settings_t;

/* Reports levels switch and island of this node's InfiniBand port, or why they are unknown.
 * OMPI_SUCCESS or an OMPI_ERR_*. */
int hitopo_openib_query(const hitopo_openib_settings_t *settings, const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
