/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "test/base/fake_frame.h"

#include <string.h>

#include "opal/mca/base/base.h"

#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

extern mca_hitopo_base_component_t mca_hitopo_hwloc_component, mca_hitopo_openib_component;

static mca_hitopo_base_component_t *const components[] = {&mca_hitopo_hwloc_component, &mca_hitopo_openib_component};
static const size_t num_components = sizeof(components) / sizeof(components[0]);
static const char *fabric_file;

void fake_frame_open(const char *path)
{
    fabric_file = path;
    for (size_t i = 0; i < num_components; ++i) {
        (void) components[i]->base_version.mca_register_component_params();
        if (NULL != components[i]->prepare) {
            components[i]->prepare();
        }
    }
}

void fake_frame_close(void)
{
    for (size_t i = 0; i < num_components; ++i) {
        (void) components[i]->base_version.mca_close_component();
    }
}

/* ---- what registrations call ---- */

int ompi_hitopo_base_register_common(mca_hitopo_base_component_t *component, int priority)
{
    component->priority = priority;
    return OMPI_SUCCESS;
}

int ompi_hitopo_base_register_string(mca_hitopo_base_component_t *component, const char *name, const char *help,
                                     const char **value)
{
    (void) component;
    (void) help;
    *value = 0 == strcmp(name, "fabric_file") ? fabric_file : NULL;
    return OMPI_SUCCESS;
}

/* Only hitopo_openib_timeout_ms, of 0: no fabric is asked. */
int ompi_hitopo_base_register_int(const char *framework, const char *component, const char *name, const char *help,
                                  mca_base_var_info_lvl_t level, int usual, int least, int *value)
{
    (void) framework, (void) component, (void) name, (void) help, (void) level, (void) usual, (void) least;
    *value = 0;
    return OMPI_SUCCESS;
}

/* ---- what asking the components calls ---- */

const hitopo_base_settings_t *hitopo_glue_settings(void)
{
    static const hitopo_base_settings_t none;

    return &none;
}

const char *hitopo_glue_variable(const char *component, const char *name)
{
    (void) component, (void) name;
    return NULL;
}

int hitopo_glue_for_each_component(hitopo_glue_visit_fn_t visit, void *context)
{
    for (size_t i = 0; i < num_components; ++i) {
        const hitopo_glue_component_t component = {.name = components[i]->base_version.mca_component_name,
                                                   .version = "0.0.0",
                                                   .priority = components[i]->priority,
                                                   .levels = components[i]->levels,
                                                   .query = components[i]->query,
                                                   .lead = components[i]->lead};
        int rc = visit(context, &component);
        if (OMPI_SUCCESS != rc) {
            return rc;
        }
    }
    return OMPI_SUCCESS;
}

void hitopo_glue_tell(const char *component, const char *text)
{
    (void) component, (void) text;
}
