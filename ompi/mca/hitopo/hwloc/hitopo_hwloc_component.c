/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component hwloc: its registration with MCA, and Open MPI's topology for it.
 */
#include "ompi_config.h"

#include <stdlib.h>

#include "opal/mca/hwloc/base/base.h"

#if OMPI_MAJOR_VERSION >= 5
#include "ompi/instance/instance.h"
#endif
#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc.h"

#ifndef HITOPO_HWLOC_LOAD
#define HITOPO_HWLOC_LOAD "" /* not built (config/hitopo_check_hwloc.m4) */
#endif

static int hwloc_register(void);
static int hwloc_query(const hitopo_question_t *question, hitopo_answer_t *answer);
static void hwloc_prepare(void);
static void *ompi_topology(void);

static hitopo_hwloc_settings_t settings = {.ompi_topology = ompi_topology};

HITOPO_COMPONENT(hwloc, hwloc_register, hitopo_hwloc_close, .query = hwloc_query, .prepare = hwloc_prepare,
                 .levels = HITOPO_LEVELS_INSIDE)

static int hwloc_register(void)
{
    int rc = ompi_hitopo_base_register_common(&mca_hitopo_hwloc_component, 60);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_hitopo_base_register_string(
            &mca_hitopo_hwloc_component, "topology",
            "Simulate the hardware of every node: the path of an XML file of lstopo --of xml (the path contains a / or "
            "ends in .xml), or a synthetic string such as \"pack:2 core:4 pu:2\"",
            &settings.topology);
    }
    if (OMPI_SUCCESS == rc) {
        rc = ompi_hitopo_base_register_string(
            &mca_hitopo_hwloc_component, "binding",
            "Simulate the binding of every process: none (all CPUs); core, socket, numa, hwthread or a type of hwloc, "
            "such as L3Cache (process i of a node is bound to the i-th object, modulo their number); or a list "
            "of CPUs. Default: core if hitopo_hwloc_topology is set, else the real binding",
            &settings.binding);
    }
    return rc;
}

/* In 4.1 each process would load one with all I/O devices, 12 to 20 ms where our own takes 4 to 9, and MPI seldom needs
 * it: only a topology that is loaded, or has to come from a file, is asked for. From 5.0 on, processes share the
 * topology of their daemon at no cost, once MPI is up; a file is the daemon's. */
static bool is_ompi_topology_from_file(void)
{
#if OMPI_MAJOR_VERSION < 5
    return NULL != opal_hwloc_base_topo_file;
#else
    return false;
#endif
}

static void *ompi_topology(void)
{
#if OMPI_MAJOR_VERSION < 5
    const bool is_cheap = is_ompi_topology_from_file();
#else
    const bool is_cheap = 0 < ompi_instance_count;
#endif

    if (is_cheap) {
        (void) opal_hwloc_base_get_topology();
    }
    return opal_hwloc_topology;
}

static int hwloc_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    settings.is_ompi_topology_from_file = is_ompi_topology_from_file();
    return hitopo_hwloc_query(&settings, question, answer);
}

/* Begins only where Open MPI will have no topology: 4.1 loads one in each process that its daemon did not bind. */
static void hwloc_prepare(void)
{
    const bool is_real = NULL == settings.topology || '\0' == settings.topology[0];
    if (is_real && OMPI_MAJOR_VERSION < 5 && NULL != getenv("OMPI_MCA_orte_bound_at_launch")) {
        hitopo_hwloc_prepare(HITOPO_HWLOC_LOAD, 10000);
    }
}
