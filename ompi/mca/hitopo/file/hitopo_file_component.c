/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component file's registration with MCA.
 */
#include "ompi_config.h"

#include <stdlib.h>

#include "ompi/constants.h"

#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "ompi/mca/hitopo/hitopo.h"

static const char published_key[] = "hitopo.file";

static hitopo_file_settings_t settings;
static bool is_shared = false;

static int file_register(void);
static void file_prepare(void);
static int file_query(const hitopo_report_t *report);

HITOPO_COMPONENT(file, file_register, NULL, .query = file_query, .prepare = file_prepare, .levels = HITOPO_LEVELS_ALL)

static int file_register(void)
{
    const struct {
        const char *name, *help, **value;
    } strings[] = {
        {"path",
         "Path of a map, readable on every node: a text file that gives any level by host name or by rank, for real "
         "and simulated jobs. Or of Slurm's topology.conf or topology.yaml, Topograph's output, or a list of nodes or "
         "instances of Kubernetes, AWS or Google Cloud, for switch and island (default: none)",
         &settings.path},
        {"topology",
         "The name of one topology in a topology.yaml (default: the one with cluster_default, or if that lacks the "
         "node, the first that has it)",
         &settings.topology},
        {"labels",
         "A list of the keys of those labels of Kubernetes nodes that name a node's switches, the closest first "
         "(default: those that Topograph, AWS and Google Cloud write)",
         &settings.labels},
        {"unknown",
         "A list of names that mean in these files that a switch is not known: nodes with such a name share no switch. "
         "A * stands for any characters (default: no-topology,unknown,*.unknown)",
         &settings.unknown},
    };
    int rc = OMPI_SUCCESS;

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]) && OMPI_SUCCESS == rc; ++i) {
        rc =
            hitopo_base_register_string(&mca_hitopo_file_component, strings[i].name, strings[i].help, strings[i].value);
    }
    const int index = mca_base_component_var_register(
        &mca_hitopo_file_component.base_version, "shared",
        "All nodes read the same file on a shared file system: rank 0 alone reads it, and hands to each other node "
        "what "
        "it tells about that node (at most 64 KiB together; no maps). Must be equal in all processes",
        MCA_BASE_VAR_TYPE_BOOL, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &is_shared);
    return OMPI_SUCCESS != rc ? rc : index < 0 ? index : hitopo_base_register_common(&mca_hitopo_file_component, 90);
}

static void file_prepare(void)
{
    char *nodes = is_shared && hitopo_base_is_first_process() ? hitopo_base_nodes() : NULL;
    char *published = NULL != nodes ? hitopo_file_publish(&settings, nodes) : NULL;

    if (NULL != published) {
        hitopo_base_publish(published_key, published);
    }
    free(published);
    free(nodes);
}

static char *published_places(void)
{
    return is_shared ? hitopo_base_published(published_key) : NULL;
}

static int file_query(const hitopo_report_t *report)
{
    return hitopo_file_query(&settings, published_places, report);
}
