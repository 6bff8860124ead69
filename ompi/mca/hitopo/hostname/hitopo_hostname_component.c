/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component hostname's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"

static hitopo_hostname_settings_t settings;

static int hostname_register(void);
static int hostname_query(const hitopo_report_t *report);

mca_hitopo_base_component_t mca_hitopo_hostname_component = {
    .base_version =
        {
            MCA_HITOPO_BASE_VERSION_1_0_0,
            .mca_component_name = "hostname",
            MCA_BASE_MAKE_VERSION(component, 0, 1, 0),
            .mca_register_component_params = hostname_register,
        },
    .base_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .query = hostname_query,
    .levels = HITOPO_LEVELS_NETWORK,
};

#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, hitopo, hostname)
#endif

static int hostname_register(void)
{
    int rc = hitopo_base_register_string(
        &mca_hitopo_hostname_component, "pattern",
        "Where host names tell the rack or the chassis: a pattern such as r{island}i{switch}n* for "
        "r1i3n7, or several with commas between them, of which the first that matches counts. Fields "
        "are {cluster}, {island} and {switch}, one or more digits each; {switch:2} is two digits, "
        "{switch:alpha} letters, {switch:word} letters and digits; * is anything (default: none)",
        &settings.pattern);
    return OMPI_SUCCESS != rc ? rc : hitopo_base_register_common(&mca_hitopo_hostname_component, 10);
}

static int hostname_query(const hitopo_report_t *report)
{
    return hitopo_hostname_query(&settings, report);
}
