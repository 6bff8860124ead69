/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The MCA framework: its declaration, its components.
 */
#define _GNU_SOURCE /* dladdr */
#include "ompi_config.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opal/mca/base/base.h"
#include "opal/mca/base/mca_base_component_repository.h"
#include "opal/mca/installdirs/installdirs.h"
#include "opal/runtime/opal.h"
#include "opal/util/argv.h"
#include "opal/util/output.h"
#include "opal/util/show_help.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/version.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"
#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/topo/base/base.h"

#if HITOPO_IN_TREE
#include "ompi/mca/hitopo/base/static-components.h"
#endif

/* For messages, which have to wait until there is a rank. */
static char **names_not_found;  /* of the user's list */
static char **names_of_another; /* components of another version of the interface */

/* Users of the framework's first life knew component hostname as gethostname. */
static const char *current_name(const char *name)
{
    return 0 == strcmp(name, "gethostname") ? "hostname" : name;
}

/* Open MPI 6.0 lists pointers to components, which others list themselves. */
#if OMPI_MAJOR_VERSION >= 6
typedef const mca_base_component_t **static_component_t;
#define COMPONENT_OF(listed) (*(listed))
#else
typedef const mca_base_component_t *static_component_t;
#define COMPONENT_OF(listed) (listed)
#endif

static bool is_static_component(const mca_base_framework_t *framework, const char *name)
{
    for (int i = 0; NULL != framework->framework_static_components && NULL != framework->framework_static_components[i];
         ++i) {
        if (0 == strcmp(COMPONENT_OF(framework->framework_static_components[i])->mca_component_name, name)) {
            return true;
        }
    }
    return false;
}

static bool component_exists(mca_base_framework_t *framework, const char *name)
{
    opal_list_t *found = NULL;
    mca_base_component_repository_item_t *item;

    if (is_static_component(framework, name)) {
        return true;
    }
    (void) mca_base_component_repository_get_components(framework, &found);
    if (NULL == found) {
        return false;
    }
    OPAL_LIST_FOREACH(item, found, mca_base_component_repository_item_t) {
        if (0 == strcmp(item->ri_name, name)) {
            return true;
        }
    }
    return false;
}

void hitopo_glue_tell_left_out(void)
{
    char host[256] = "this node";

    (void) gethostname(host, sizeof(host) - 1);
    for (int i = 0; NULL != names_not_found && NULL != names_not_found[i]; ++i) {
        char *name = ompi_hitopo_base_safe_text(names_not_found[i]);
        if (0 == hitopo_glue_job_rank() && NULL != name) {
            (void) hitopo_glue_print(
                opal_show_help_string("help-mca-base.txt", "find-available:not-valid", true, host, "hitopo", name));
        }
        free(name);
    }
    for (int i = 0; NULL != names_of_another && NULL != names_of_another[i] && 0 == hitopo_glue_job_rank(); ++i) {
        (void) hitopo_glue_help("other-interface", names_of_another[i], names_of_another[i], "");
    }
    opal_argv_free(names_not_found);
    opal_argv_free(names_of_another);
    names_not_found = names_of_another = NULL;
}

/* Open MPI gives up a framework for one unknown name in its list. This goes on with the others, and prints later what
 * it would print: a wrong name costs that name only. */
static int keep_known_names(mca_base_framework_t *framework)
{
    char **asked, **known = NULL;
    bool is_exclusion = NULL != framework->framework_selection && '^' == framework->framework_selection[0];
    int rc = OMPI_SUCCESS;

    if (NULL == framework->framework_selection || '\0' == framework->framework_selection[0]) {
        return OMPI_SUCCESS;
    }
    asked = opal_argv_split(framework->framework_selection + (is_exclusion ? 1 : 0), ',');
    for (int i = 0; NULL != asked && NULL != asked[i] && OMPI_SUCCESS == rc; ++i) {
        const char *name = current_name(asked[i]);
        if (is_exclusion || component_exists(framework, name)) {
            rc = opal_argv_append_nosize(&known, name);
        } else {
            rc = opal_argv_append_nosize(&names_not_found, asked[i]);
        }
    }
    opal_argv_free(asked);

    char *list = NULL == known ? NULL : opal_argv_join(known, ',');
    char *selection = NULL;
    opal_argv_free(known);
    /* No name left: all components, as without a list. */
    if (OMPI_SUCCESS == rc
        && 0 > asprintf(&selection, "%s%s", is_exclusion || NULL == list ? "^" : "", NULL == list ? "" : list)) {
        rc = OMPI_ERR_OUT_OF_RESOURCE;
    }
    free(list);
    if (OMPI_SUCCESS == rc) {
        free(framework->framework_selection);
        framework->framework_selection = selection;
    }
    return rc;
}

/* The components lie beside this library or, where that is libmpi itself, in Open MPI's own folder. No path variable
 * is needed, and 5.0's mpirun would overwrite it. */
static int add_own_folder(void)
{
    Dl_info own, ompi;
    char folder[PATH_MAX], *slash;

    if (0 == dladdr((void *) &ompi_hitopo_base_framework, &own) || 0 == dladdr((void *) &ompi_comm_split, &ompi)
        || NULL == own.dli_fname || NULL == realpath(own.dli_fname, folder)) {
        return OMPI_SUCCESS;
    }
    if (own.dli_fbase == ompi.dli_fbase) {
        return mca_base_component_repository_add(opal_install_dirs.opallibdir);
    }
    slash = strrchr(folder, '/');
    if (NULL == slash) {
        return OMPI_SUCCESS;
    }
    *slash = '\0';
    return mca_base_component_repository_add(folder);
}

static int hitopo_register(mca_base_register_flag_t flags)
{
    int rc;

    (void) flags;
    hitopo_glue_open_output();
    /* In open it would be too late: register looks for the components. */
    if (OMPI_SUCCESS != (rc = add_own_folder()) || OMPI_SUCCESS != (rc = hitopo_glue_register_variables())) {
        return rc;
    }
    return keep_known_names(&ompi_hitopo_base_framework);
}

/* MCA compares the version of its own structures alone. It would not open the others in a list of the user's if one was
 * left out before. */
static int leave_out_others(opal_list_t *components)
{
    mca_base_component_list_item_t *item, *next;
    int rc = OMPI_SUCCESS;

    OPAL_LIST_FOREACH_SAFE(item, next, components, mca_base_component_list_item_t) {
        const mca_base_component_t *component = item->cli_component;
        if (HITOPO_BASE_MAJOR_VERSION != component->mca_type_major_version && OMPI_SUCCESS == rc) {
            rc = opal_argv_append_nosize(&names_of_another, component->mca_component_name);
            opal_list_remove_item(components, &item->super);
            mca_base_component_close(component, ompi_hitopo_base_framework.framework_output);
            OBJ_RELEASE(item);
        }
    }
    return rc;
}

static int hitopo_open(mca_base_open_flag_t flags)
{
    int rc = mca_base_framework_components_open(&ompi_hitopo_base_framework, flags);

    return OMPI_SUCCESS != rc ? rc : leave_out_others(&ompi_hitopo_base_framework.framework_components);
}

static int hitopo_close(void)
{
    hitopo_glue_close_output();
    return mca_base_framework_components_close(&ompi_hitopo_base_framework, NULL);
}

#if !HITOPO_IN_TREE
static static_component_t mca_hitopo_base_static_components[] = {NULL};
#endif

MCA_BASE_FRAMEWORK_DECLARE(ompi, hitopo, "Hierarchical topology", hitopo_register, hitopo_open, hitopo_close,
                           mca_hitopo_base_static_components, MCA_BASE_FRAMEWORK_FLAG_DEFAULT);

/* Before MPI_Init the MCA is down but for this: MPI_T_init_thread does the same. */
bool hitopo_glue_claim(void)
{
    if (OPAL_SUCCESS != opal_init_util(NULL, NULL)) {
        return false;
    }
    if (0 > mca_base_var_find("ompi", "hitopo", "base", "eager") && OMPI_SUCCESS == hitopo_glue_register_eager()) {
        return true;
    }
    hitopo_glue_unclaim();
    return false;
}

void hitopo_glue_unclaim(void)
{
    (void) opal_finalize_util();
}

/* Open MPI opens topo at the first grid or graph, where it is too late for topo/hitopo to agree. */
int hitopo_glue_open(void)
{
    int rc = mca_base_framework_open(&ompi_hitopo_base_framework, MCA_BASE_OPEN_DEFAULT);

    if (OMPI_SUCCESS == rc && component_exists(&ompi_topo_base_framework, "hitopo")) {
        (void) mca_topo_base_lazy_init();
    }
    return rc;
}

void hitopo_glue_close(void)
{
    (void) mca_base_framework_close(&ompi_hitopo_base_framework);
}

void hitopo_glue_prepare_components(void)
{
    mca_base_component_list_item_t *item;

    OPAL_LIST_FOREACH(item, &ompi_hitopo_base_framework.framework_components, mca_base_component_list_item_t) {
        const mca_hitopo_base_component_t *component = (const mca_hitopo_base_component_t *) item->cli_component;
        if (NULL != component->prepare) {
            component->prepare();
        }
    }
}

static int by_priority(const void *a, const void *b)
{
    const mca_hitopo_base_component_t *x = *(mca_hitopo_base_component_t *const *) a;
    const mca_hitopo_base_component_t *y = *(mca_hitopo_base_component_t *const *) b;

    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    return strcmp(x->base_version.mca_component_name, y->base_version.mca_component_name);
}

int hitopo_glue_for_each_component(hitopo_glue_visit_fn_t visit, void *context)
{
    opal_list_t *components = &ompi_hitopo_base_framework.framework_components;
    size_t count = 0;
    mca_base_component_list_item_t *item;
    int rc = OMPI_SUCCESS;

    if (!(ompi_hitopo_base_framework.framework_flags & MCA_BASE_FRAMEWORK_FLAG_OPEN)) {
        return OMPI_SUCCESS;
    }
    mca_hitopo_base_component_t **sorted = calloc(opal_list_get_size(components) + 1, sizeof(*sorted));
    if (NULL == sorted) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    OPAL_LIST_FOREACH(item, components, mca_base_component_list_item_t) {
        sorted[count++] = (mca_hitopo_base_component_t *) item->cli_component;
    }
    qsort(sorted, count, sizeof(*sorted), by_priority);
    for (size_t i = 0; i < count && OMPI_SUCCESS == rc; ++i) {
        const mca_base_component_t *base = &sorted[i]->base_version;
        char version[32];
        snprintf(version, sizeof(version), "%d.%d.%d", base->mca_component_major_version,
                 base->mca_component_minor_version, base->mca_component_release_version);
        const hitopo_glue_component_t component = {
            .name = base->mca_component_name,
            .version = version,
            .priority = sorted[i]->priority,
            .levels = sorted[i]->levels,
            .is_verbose =
                MCA_BASE_VERBOSE_INFO <= ompi_hitopo_base_framework.framework_verbose || 0 < sorted[i]->verbose,
            .query = sorted[i]->query,
            .lead = sorted[i]->lead,
        };
        rc = visit(context, &component);
    }
    free(sorted);
    return rc;
}

const char *hitopo_glue_ompi_version(void)
{
    return OMPI_VERSION;
}

bool hitopo_glue_is_verbose(void)
{
    return 0 < ompi_hitopo_base_framework.framework_verbose;
}

void hitopo_glue_tell(const char *component, const char *text)
{
    char *safe = ompi_hitopo_base_safe_text(text);

    if (NULL != safe) {
        opal_output(0, "hitopo:%s: rank %d: %s", component, hitopo_glue_job_rank(), safe);
    }
    free(safe);
}
