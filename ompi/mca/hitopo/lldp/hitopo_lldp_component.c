/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component lldp's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/lldp/hitopo_lldp.h"

static hitopo_lldp_settings_t settings;

static int lldp_register(void);
static int lldp_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(lldp, lldp_register, NULL, .query = lldp_query,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH)

static int register_texts(void)
{
    const struct {
        const char *name, *help, **value;
    } texts[] = {
        {"program", "Path of lldpd's program lldpcli (default: /usr/sbin/lldpcli)", &settings.program},
        {"socket", "Path of lldpd's socket (default: the default of lldpcli)", &settings.socket},
        {"interfaces",
         "Interfaces whose neighbour may be the node's switch, in the notation of lldpcli: ens1,eth*,!eth9 (default: "
         "all)",
         &settings.interfaces},
        {"pattern",
         "A pattern, as for hitopo_hostname_pattern, that finds the island in the name of the node's switch, such as "
         "pod{island}-* (default: none)",
         &settings.pattern},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        int rc =
            ompi_hitopo_base_register_string(&mca_hitopo_lldp_component, texts[i].name, texts[i].help, texts[i].value);
        if (OMPI_SUCCESS != rc) {
            return rc;
        }
    }
    return OMPI_SUCCESS;
}

static int lldp_register(void)
{
    int rc = register_texts();
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    rc = ompi_hitopo_base_register_int(
        "hitopo", "lldp", "timeout_ms",
        "Time limit in milliseconds for one process of each node to ask its lldpd; 0: never ask", OPAL_INFO_LVL_5, 500,
        0, &settings.timeout_ms);
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_lldp_component, 15);
}

static int lldp_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_lldp_query(&settings, question, answer);
}
