/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MCA variables: the framework's, those that components register, and their view for `hitopo info` and the simulation.
 */
#include "ompi_config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opal/mca/base/base.h"

#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

static hitopo_base_settings_t settings;
static char too_small[2048]; /* lines, for rank 0 to print once there is one */

/* socket stands for core and hwthread too: one component fills all three. */
static const char *const chosen_levels[HITOPO_LEVEL_SOCKET + 1] = {
    "cluster", "island", "switch", "node", "l2numa", "socket",
};

static int register_bool(const char *name, const char *help, mca_base_var_info_lvl_t level, bool value, bool *storage)
{
    *storage = value;
    int index = mca_base_var_register("ompi", "hitopo", "base", name, help, MCA_BASE_VAR_TYPE_BOOL, NULL, 0, 0, level,
                                      MCA_BASE_VAR_SCOPE_ALL_EQ, storage);
    return 0 > index ? index : OMPI_SUCCESS;
}

int hitopo_glue_register_eager(void)
{
    return register_bool("eager",
                         "Exchange the addresses of all processes at the end of MPI_Init. If false, a communicator has "
                         "no address table before ompi_hitopo_load. Must be equal in all processes",
                         OPAL_INFO_LVL_4, true, &settings.eager);
}

static int register_simulate_shared(void)
{
    return register_bool(
        "simulate_shared",
        "Treat simulated nodes (component file) as real in MPI_COMM_TYPE_SHARED. The processes of such a communicator "
        "can share memory, possibly with processes outside of it too. Must be equal in all processes",
        OPAL_INFO_LVL_5, false, &settings.simulate_shared);
}

static int register_levels(void)
{
    for (int i = 0; i <= HITOPO_LEVEL_SOCKET; ++i) {
        char name[32], help[256];
        snprintf(name, sizeof(name), "level_%s", chosen_levels[i]);
        snprintf(help, sizeof(help),
                 "Component that fills the level %s%s before all other components, regardless of priorities",
                 chosen_levels[i], HITOPO_LEVEL_SOCKET == i ? ", and core and hwthread with it," : "");
        settings.level_component[i] = NULL;
        int index = mca_base_var_register("ompi", "hitopo", "base", name, help, MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0,
                                          OPAL_INFO_LVL_4, MCA_BASE_VAR_SCOPE_ALL_EQ, &settings.level_component[i]);
        if (0 > index) {
            return index;
        }
    }
    return OMPI_SUCCESS;
}

int hitopo_glue_register_variables(void)
{
    int rc;

    if (OMPI_SUCCESS != (rc = hitopo_glue_register_eager()) || OMPI_SUCCESS != (rc = register_simulate_shared())) {
        return rc;
    }
    return register_levels();
}

const hitopo_base_settings_t *hitopo_glue_settings(void)
{
    return &settings;
}

int ompi_hitopo_base_register_common(mca_hitopo_base_component_t *component, int priority)
{
    component->priority = priority;
    int index = mca_base_component_var_register(
        &component->base_version, "priority",
        "If several components know a level of a node, the component of the highest priority fills it",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_ALL_EQ, &component->priority);
    if (0 > index) {
        return index;
    }
    component->verbose = 0;
    index = mca_base_component_var_register(
        &component->base_version, "verbose",
        "1: each process prints the values and reasons of this component (hitopo_base_verbose: of all components)",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_8, MCA_BASE_VAR_SCOPE_LOCAL, &component->verbose);
    return 0 > index ? index : OMPI_SUCCESS;
}

int ompi_hitopo_base_register_string(mca_hitopo_base_component_t *component, const char *name, const char *help,
                                     const char **value)
{
    *value = NULL;
    int index = mca_base_component_var_register(&component->base_version, name, help, MCA_BASE_VAR_TYPE_STRING, NULL, 0,
                                                0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY, value);
    return 0 > index ? index : OMPI_SUCCESS;
}

int ompi_hitopo_base_register_int(const char *framework, const char *component, const char *name, const char *help,
                                  mca_base_var_info_lvl_t level, int usual, int least, int *value)
{
    const size_t length = strlen(too_small);

    *value = usual;
    int index = mca_base_var_register("ompi", framework, component, name, help, MCA_BASE_VAR_TYPE_INT, NULL, 0,
                                      MCA_BASE_VAR_FLAG_DWG, level, MCA_BASE_VAR_SCOPE_READONLY, value);
    if (0 <= index && *value < least) {
        snprintf(too_small + length, sizeof(too_small) - length,
                 "    %s_%s_%s is %d; the least is %d, the default %d.\n", framework, component, name, *value, least,
                 usual);
        *value = usual;
    }
    return 0 > index ? index : OMPI_SUCCESS;
}

void ompi_hitopo_base_tell_too_small(void)
{
    if ('\0' != too_small[0] && 0 == hitopo_glue_job_rank()) {
        hitopo_glue_help("too-small", too_small, "", "");
    }
    too_small[0] = '\0';
}

const char *hitopo_glue_variable(const char *component, const char *name)
{
    const char *const *value = NULL;
    int index = mca_base_var_find("ompi", "hitopo", component, name);

    if (0 > index || OPAL_SUCCESS != mca_base_var_get_value(index, &value, NULL, NULL) || NULL == value
        || NULL == *value || '\0' == **value) {
        return NULL;
    }
    return *value;
}

void hitopo_glue_set_variable(const char *component, const char *name, const char *value)
{
    mca_base_var_storage_t *storage = NULL;
    int index = mca_base_var_find("ompi", "hitopo", component, name);

    /* Users may not change these variables, so MCA's own function does not either. */
    if (NULL != value && 0 <= index && OPAL_SUCCESS == mca_base_var_get_value(index, &storage, NULL, NULL)
        && NULL != storage) {
        free(storage->stringval);
        storage->stringval = strdup(value);
    }
}

static const char *type_name(mca_base_var_type_t type)
{
    switch (type) {
    case MCA_BASE_VAR_TYPE_STRING:
    case MCA_BASE_VAR_TYPE_VERSION_STRING:
        return "string";
    case MCA_BASE_VAR_TYPE_BOOL:
        return "bool";
    default:
        return "int";
    }
}

static const char *source_name(const mca_base_var_t *var)
{
    switch (var->mbv_source) {
    case MCA_BASE_VAR_SOURCE_DEFAULT:
        return "default";
    case MCA_BASE_VAR_SOURCE_COMMAND_LINE:
        return "command line";
    case MCA_BASE_VAR_SOURCE_ENV:
        return "environment";
    case MCA_BASE_VAR_SOURCE_FILE:
        return "file";
    case MCA_BASE_VAR_SOURCE_SET:
        return "MPI_T";
    default:
        return "override";
    }
}

static const char *scope_name(const mca_base_var_t *var)
{
    switch (var->mbv_scope) {
    case MCA_BASE_VAR_SCOPE_CONSTANT:
        return "constant";
    case MCA_BASE_VAR_SCOPE_READONLY:
        return "readonly";
    case MCA_BASE_VAR_SCOPE_LOCAL:
        return "local";
    case MCA_BASE_VAR_SCOPE_ALL_EQ:
        return "all equal";
    default:
        return "all";
    }
}

static void print_value(const mca_base_var_t *var, char *text, size_t capacity)
{
    const mca_base_var_storage_t *value = NULL;

    text[0] = '\0';
    if (OPAL_SUCCESS != mca_base_var_get_value(var->mbv_index, &value, NULL, NULL) || NULL == value) {
        return;
    }
    switch (var->mbv_type) {
    case MCA_BASE_VAR_TYPE_STRING:
    case MCA_BASE_VAR_TYPE_VERSION_STRING:
        snprintf(text, capacity, "%s", NULL == value->stringval ? "" : value->stringval);
        break;
    case MCA_BASE_VAR_TYPE_BOOL:
        snprintf(text, capacity, "%s", value->boolval ? "true" : "false");
        break;
    default:
        snprintf(text, capacity, "%d", value->intval);
    }
}

static int visit_variable(const mca_base_var_t *var, hitopo_glue_variable_fn_t visit, void *context)
{
    char value[PATH_MAX];

    print_value(var, value, sizeof(value));
    const hitopo_glue_variable_t plain = {
        .name = var->mbv_full_name,
        .type = type_name(var->mbv_type),
        .value = '\0' == value[0] ? NULL : value,
        .source = source_name(var),
        .scope = scope_name(var),
        .help = NULL == var->mbv_description ? "" : var->mbv_description,
    };
    return visit(context, &plain);
}

/* The framework's, its components', coll/hitopo's and topo/hitopo's. */
static bool is_ours(const mca_base_var_group_t *group)
{
    const char *framework = group->group_framework, *component = group->group_component;

    return NULL != framework
           && (0 == strcmp(framework, "hitopo")
               || ((0 == strcmp(framework, "coll") || 0 == strcmp(framework, "topo")) && NULL != component
                   && 0 == strcmp(component, "hitopo")));
}

int hitopo_glue_for_each_variable(hitopo_glue_variable_fn_t visit, void *context)
{
    int rc = OMPI_SUCCESS;

    for (int i = 0; i < mca_base_var_get_count() && OMPI_SUCCESS == rc; ++i) {
        const mca_base_var_t *var = NULL;
        const mca_base_var_group_t *group = NULL;
        if (OPAL_SUCCESS == mca_base_var_get(i, &var) && NULL != var
            && OPAL_SUCCESS == mca_base_var_group_get(var->mbv_group_index, &group) && NULL != group
            && is_ours(group)) {
            rc = visit_variable(var, visit, context);
        }
    }
    return rc;
}
