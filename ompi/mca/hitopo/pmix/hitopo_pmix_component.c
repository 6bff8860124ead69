/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component pmix's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/pmix/hitopo_pmix.h"

static hitopo_pmix_settings_t settings;

static int pmix_register(void);
static int pmix_query(const hitopo_report_t *report);

HITOPO_COMPONENT(pmix, pmix_register, NULL, .query = pmix_query,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH | 1u << HITOPO_LEVEL_NODE)

static int pmix_register(void)
{
    int rc = ompi_hitopo_base_register_string(
        &mca_hitopo_pmix_component, "dimensions",
        "Meaning of each dimension of PMIx's logical fabric coordinates, outermost first, "
        "as a list of island, switch or -, such as island,switch,- for a dragonfly of "
        "group, switch and port (default: none, coordinates are not used)",
        &settings.dimensions);
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_pmix_component, 20);
}

static int pmix_query(const hitopo_report_t *report)
{
    return hitopo_pmix_query(&settings, report);
}
