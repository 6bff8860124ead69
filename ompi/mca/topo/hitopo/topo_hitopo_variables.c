/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The mode of the component, which all processes must have in common: the values of its MCA variables travel with
 * MPI_Init's exchange. Open MPI asks for a component at a job's first grid or graph, where it is too late to agree.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opal/mca/base/base.h"

#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_topo_map.h"

/* The settings that all processes have in common, by their keys; the first is also that of the layer. */
static const char *const keys[] = {HITOPO_TOPO_KEY, "topo_hitopo_reorder", "topo_hitopo_capacity"};
enum { NUM_KEYS = sizeof(keys) / sizeof(keys[0]) };

static char *mode;
static char *capacity;
static int verbose;
static hitopo_topo_reorder_t agreed = HITOPO_TOPO_REORDER_NOT_AGREED;

static const char *given(const char *value)
{
    return NULL == value ? "" : value;
}

static hitopo_topo_reorder_t own(void)
{
    return 0 == strcmp(given(mode), "on")       ? HITOPO_TOPO_REORDER_ON
           : 0 == strcmp(given(mode), "report") ? HITOPO_TOPO_REORDER_REPORT
                                                : HITOPO_TOPO_REORDER_OFF;
}

hitopo_topo_reorder_t hitopo_topo_reorder(void)
{
    return agreed;
}

const char *hitopo_topo_capacity(void)
{
    return capacity;
}

bool hitopo_topo_is_verbose(void)
{
    return 0 < verbose;
}

static void tell_wrong_settings(void)
{
    char *wrong = hitopo_topo_wrong_settings(mode, capacity);

    if (NULL != wrong) {
        ompi_hitopo_base_help_from(HITOPO_TOPO_HELP, "malformed", wrong, "", "");
    }
    free(wrong);
}

static const char *start(void)
{
    agreed = ompi_hitopo_base_layer_agrees(keys, NUM_KEYS, HITOPO_TOPO_HELP) ? own() : HITOPO_TOPO_REORDER_NOT_AGREED;
    if (HITOPO_TOPO_REORDER_NOT_AGREED != agreed && 0 == ompi_comm_rank(&ompi_mpi_comm_world.comm)) {
        tell_wrong_settings();
    }
    return HITOPO_TOPO_REORDER_ON == agreed || HITOPO_TOPO_REORDER_REPORT == agreed ? "topo/hitopo" : NULL;
}

static void stop(void)
{
    agreed = HITOPO_TOPO_REORDER_NOT_AGREED;
}

static int set_common(void)
{
    char word[16];
    const char *const values[NUM_KEYS] = {"", word, given(capacity)};
    int rc = OMPI_SUCCESS;

    snprintf(word, sizeof(word), "%d", (int) own());
    for (int i = 0; i < NUM_KEYS && OMPI_SUCCESS == rc; ++i) {
        rc = ompi_hitopo_base_set_common(keys[i], values[i]);
    }
    return rc;
}

static int register_string(const char *name, const char *help, char **storage)
{
    *storage = NULL;
    return mca_base_component_var_register(&mca_topo_hitopo_component.topoc_version, name, help,
                                           MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3,
                                           MCA_BASE_VAR_SCOPE_ALL_EQ, storage);
}

int hitopo_topo_register(void)
{
    (void) register_string("reorder",
                           "Behaviour of MPI_Cart_create, MPI_Graph_create and MPI_Dist_graph_create with reorder = 1. "
                           "off: keep the ranks (default); report: keep the ranks, and show the possible gain in the "
                           "profile; on: place neighbours close to each other. Must be equal in all processes",
                           &mode);
    (void) register_string("capacity",
                           "Relative bandwidth of each level, as a list of level:number, such as switch:12,island:4 "
                           "(default: the number of instances of the level)",
                           &capacity);
    verbose = 0;
    (void) mca_base_component_var_register(
        &mca_topo_hitopo_component.topoc_version, "verbose",
        "1: rank 0 of each communicator prints the gain of the best order of its processes", MCA_BASE_VAR_TYPE_INT,
        NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_LOCAL, &verbose);
    /* If memory is short, this process lacks the common setting, and no process makes grids by addresses. */
    if (OMPI_SUCCESS == ompi_hitopo_base_at_start(start) && OMPI_SUCCESS == ompi_hitopo_base_at_stop(stop)) {
        (void) set_common();
    }
    return OMPI_SUCCESS;
}
