/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component oci's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/oci/hitopo_oci.h"

static const char default_program[] = "/usr/bin/curl";

static hitopo_oci_settings_t settings = {.timeout_ms = 1000};

static int oci_register(void);
static int oci_query(const hitopo_report_t *report);

HITOPO_COMPONENT(oci, oci_register, NULL, .query = oci_query,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH)

static int oci_register(void)
{
    int rc = ompi_hitopo_base_register_string(
        &mca_hitopo_oci_component, "url",
        "URL of Oracle's metadata service for the position of an instance in the RDMA network: "
        "http://169.254.169.254/opc/v2/host/rdmaTopologyData (default: none, the service is not asked)",
        &settings.url);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_hitopo_base_register_string(
            &mca_hitopo_oci_component, "program",
            "Path of the program curl, which sends the request to that service (default: /usr/bin/curl)",
            &settings.program);
    }
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    rc = mca_base_component_var_register(
        &mca_hitopo_oci_component.base_version, "timeout_ms",
        "Time limit in milliseconds for this request, which one process of each node sends; 0: never ask",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &settings.timeout_ms);
    return rc < 0 ? rc : ompi_hitopo_base_register_common(&mca_hitopo_oci_component, 35);
}

static int oci_query(const hitopo_report_t *report)
{
    hitopo_oci_settings_t asked = settings;

    asked.program = NULL != settings.program ? settings.program : default_program;
    return hitopo_oci_query(&asked, report);
}
