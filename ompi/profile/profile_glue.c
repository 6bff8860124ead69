/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 */
#include "ompi_config.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include "ompi/profile/profile_glue.h"

static char *report;
static int max_communicators;
static hitopo_profile_settings_t settings;

const hitopo_profile_settings_t *hitopo_profile_register(void)
{
    report = "hitopo-profile.%p.json";
    max_communicators = 1024;
    (void) mca_base_var_register(
        "ompi", "hitopo", "prof", "report",
        "The file that the profiler writes: %p stands for the process id of rank 0, %% for %; empty: none",
        MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY, &report);
    (void) mca_base_var_register(
        "ompi", "hitopo", "prof", "max_communicators",
        "How many registered communicators the profiler counts for; further ones are left out",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &max_communicators);
    settings.report = report;
    settings.max_communicators = 0 > max_communicators ? 0 : (size_t) max_communicators;
    return &settings;
}

const hitopo_profile_settings_t *hitopo_profile_settings(void)
{
    return &settings;
}

void hitopo_profile_warn(const char *text)
{
    opal_output(0, "HiTopo's profiler: %s", text);
}
