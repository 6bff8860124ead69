/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "ompi_config.h"

#include <stdio.h>
#include <string.h>

#include "opal/mca/base/base.h"

#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_reorder.h"

static char *mode;
static char *capacity;
static int verbose;

static int register_string(const char *name, const char *help, char **storage)
{
    *storage = NULL;
    int index = mca_base_var_register("ompi", "topo", "hitopo", name, help, MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0,
                                      OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_ALL_EQ, storage);
    return 0 > index ? index : OMPI_SUCCESS;
}

int hitopo_glue_register_reorder(void)
{
    int rc =
        register_string("reorder",
                        "What MPI_Cart_create, MPI_Graph_create and MPI_Dist_graph_create do with reorder = 1. off: "
                        "ranks stay (default); report: ranks stay, and the profile shows what an order would gain; on: "
                        "neighbours get ranks that are close to each other. Must be equal in all processes",
                        &mode);
    if (OMPI_SUCCESS != rc
        || OMPI_SUCCESS
               != (rc = register_string("capacity",
                                        "How much each level can carry relative to the others, as a list of "
                                        "level:number: switch:12,island:4 (default: its number of instances)",
                                        &capacity))) {
        return rc;
    }
    verbose = 0;
    int index =
        mca_base_var_register("ompi", "topo", "hitopo", "verbose",
                              "1: rank 0 of a communicator prints what an order of its processes gains",
                              MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_LOCAL, &verbose);
    return 0 > index ? index : OMPI_SUCCESS;
}

static const char *given(const char *value)
{
    return NULL == value ? "" : value;
}

hitopo_reorder_t hitopo_glue_reorder(void)
{
    return 0 == strcmp(given(mode), "on")       ? HITOPO_REORDER_ON
           : 0 == strcmp(given(mode), "report") ? HITOPO_REORDER_REPORT
                                                : HITOPO_REORDER_OFF;
}

const char *hitopo_glue_reorder_word(void)
{
    static char word[256];

    if (!hitopo_glue_has_topo()) {
        return NULL;
    }
    snprintf(word, sizeof(word), "%d %s", (int) hitopo_glue_reorder(), given(capacity));
    return word;
}

const char *hitopo_glue_reorder_help(void)
{
    return HITOPO_HELP_DIR "/help-hitopo-topo.txt";
}

void hitopo_glue_tell_unknown_reorder(void)
{
    if (0 == hitopo_glue_job_rank() && HITOPO_REORDER_OFF == hitopo_glue_reorder() && 0 != strcmp(given(mode), "off")
        && '\0' != *given(mode)) {
        hitopo_base_help_from(hitopo_glue_reorder_help(), "unknown-mode", mode, "", "");
    }
}

const char *hitopo_base_reorder_capacity(void)
{
    return capacity;
}

bool hitopo_base_reorder_is_verbose(void)
{
    return 0 < verbose;
}
