/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component oci: where a node of Oracle's cloud is in its RDMA network, by the metadata service of the instance.
 */
#ifndef OMPI_MCA_HITOPO_OCI_HITOPO_OCI_H
#define OMPI_MCA_HITOPO_OCI_HITOPO_OCI_H

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings may be NULL. */
typedef struct hitopo_oci_settings_t {
    const char *url;     /* hitopo_oci_url; NULL or "": nobody is asked */
    const char *program; /* hitopo_oci_program: curl */
    int timeout_ms;      /* hitopo_oci_timeout_ms; 0: nobody is asked */
} hitopo_oci_settings_t;

/* Answers 0, or an OMPI_ERR_* code if memory ran out. In the process that asks for its node it takes up to
 * timeout_ms. */
int hitopo_oci_query(const hitopo_oci_settings_t *settings, const hitopo_report_t *report);

#ifdef __cplusplus
}
#endif

#endif
