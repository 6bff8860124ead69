/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slurm's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

static int slurm_register(void);

HITOPO_COMPONENT(slurm, slurm_register, NULL, .query = hitopo_slurm_query, .levels = HITOPO_LEVELS_NETWORK)

static int slurm_register(void)
{
    return ompi_hitopo_base_register_common(&mca_hitopo_slurm_component, 50);
}
