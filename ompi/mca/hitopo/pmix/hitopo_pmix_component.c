/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component pmix's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/pmix/hitopo_pmix.h"

static int pmix_register(void);

HITOPO_COMPONENT(pmix, pmix_register, NULL, .query = hitopo_pmix_query,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH)

static int pmix_register(void)
{
    return ompi_hitopo_base_register_common(&mca_hitopo_pmix_component, 20);
}
