/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component openib's registration with Open MPI's MCA.
 */
#include "ompi/mca/hitopo/hitopo.h"

#include "ompi/mca/hitopo/openib/hitopo_openib.h"

/* The MCA variable's storage must be a char *. */
static char *fabric_file = NULL;

static int openib_register(void);
static int openib_query(const hitopo_report_t *report);

mca_hitopo_base_component_t mca_hitopo_openib_component = {
    .base_version =
        {
            MCA_HITOPO_BASE_VERSION_1_0_0,
            .mca_component_name = "openib",
            MCA_BASE_MAKE_VERSION(component, 0, 1, 0),
            .mca_register_component_params = openib_register,
        },
    .base_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .query = openib_query,
    .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH,
};

#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, hitopo, openib)
#endif

static int openib_register(void) {
    const int rc = mca_base_component_var_register(
        &mca_hitopo_openib_component.base_version, "fabric_file",
        "Output of ibnetdiscover, readable on all nodes: tells leaf switch and island of a node's "
        "InfiniBand port by its GUID (default: none)",
        MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY, &fabric_file);
    return rc < 0 ? rc : hitopo_base_register_common(&mca_hitopo_openib_component, 40);
}

static int openib_query(const hitopo_report_t *report) {
    const hitopo_openib_settings_t settings = {.fabric_file = fabric_file};
    return hitopo_openib_query(&settings, report);
}
