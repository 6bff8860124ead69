/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slingshot's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/slingshot/hitopo_slingshot.h"

static int slingshot_register(void);

HITOPO_COMPONENT(slingshot, slingshot_register, NULL, .query = hitopo_slingshot_query,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH)

static int slingshot_register(void)
{
    return ompi_hitopo_base_register_common(&mca_hitopo_slingshot_component, 45);
}
