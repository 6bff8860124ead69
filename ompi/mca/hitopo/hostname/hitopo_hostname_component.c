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
static int hostname_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(hostname, hostname_register, NULL, .query = hostname_query, .levels = HITOPO_LEVELS_NETWORK)

static int hostname_register(void)
{
    int rc = ompi_hitopo_base_register_string(
        &mca_hitopo_hostname_component, "pattern",
        "A pattern for host names that contain the rack or the chassis, such as r{island}i{switch}n* for r1i3n7, or a "
        "list of patterns, whose first match is used. The fields {cluster}, {island} and {switch} stand for one or "
        "more digits; {switch:2} for two digits, {switch:alpha} for letters, {switch:word} for letters and digits; * "
        "for anything (default: none)",
        &settings.pattern);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_hitopo_base_register_string(
            &mca_hitopo_hostname_component, "variable",
            "Environment variable that contains the node's name if the host name differs, as in a Kubernetes pod; all "
            "components look up this name in files too (default: NODE_NAME)",
            &settings.variable);
    }
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_hostname_component, 10);
}

static int hostname_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_hostname_query(&settings, question, answer);
}
