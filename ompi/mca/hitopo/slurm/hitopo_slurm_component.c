/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slurm's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

static int slurm_register(void);

mca_hitopo_base_component_t mca_hitopo_slurm_component = {
    .base_version =
        {
            MCA_HITOPO_BASE_VERSION_1_0_0,
            .mca_component_name = "slurm",
            MCA_BASE_MAKE_VERSION(component, 0, 1, 0),
            .mca_register_component_params = slurm_register,
        },
    .base_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .query = hitopo_slurm_query,
    .levels = HITOPO_LEVELS_NETWORK,
};

#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, hitopo, slurm)
#endif

static int slurm_register(void) {
    return hitopo_base_register_common(&mca_hitopo_slurm_component, 50);
}
