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
static int file_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(file, file_register, NULL, .query = file_query, .prepare = file_prepare, .levels = HITOPO_LEVELS_ALL)

static int file_register(void)
{
    const struct {
        const char *name, *help, **value;
    } strings[] = {
        {"path",
         "Path of a file that every node can read: a map, which is a text file with values of any level by host name "
         "or rank, for real and simulated jobs; or, for switch and island, Slurm's topology.conf or topology.yaml, the "
         "output of Topograph, or a list of nodes or instances of Kubernetes, AWS or Google Cloud (default: none)",
         &settings.path},
        {"topology",
         "Name of the topology to use in a topology.yaml (default: the topology with cluster_default, or, if it does "
         "not contain the node, the first topology that does)",
         &settings.topology},
        {"labels",
         "Keys of the labels of Kubernetes nodes that name a node's switches, separated by commas, the closest switch "
         "first (default: the labels of Topograph, AWS and Google Cloud)",
         &settings.labels},
        {"unknown",
         "Names that stand for an unknown switch in these files, separated by commas: nodes with such a name share no "
         "switch. A * matches any characters (default: no-topology,unknown,*.unknown)",
         &settings.unknown},
    };
    int rc = OMPI_SUCCESS;

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]) && OMPI_SUCCESS == rc; ++i) {
        rc = ompi_hitopo_base_register_string(&mca_hitopo_file_component, strings[i].name, strings[i].help,
                                              strings[i].value);
    }
    const int index = mca_base_component_var_register(
        &mca_hitopo_file_component.base_version, "shared",
        "The file is the same on all nodes (shared file system): only rank 0 reads it, and sends each other node its "
        "entries (at most 64 KiB for all nodes; not for maps). Must be equal in all processes",
        MCA_BASE_VAR_TYPE_BOOL, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &is_shared);
    return OMPI_SUCCESS != rc ? rc
           : index < 0        ? index
                              : ompi_hitopo_base_register_common(&mca_hitopo_file_component, 90);
}

static void file_prepare(void)
{
    char *nodes = is_shared && ompi_hitopo_base_is_first_process() ? ompi_hitopo_base_nodes() : NULL;
    char *published = NULL != nodes ? hitopo_file_publish(&settings, nodes) : NULL;

    if (NULL != published) {
        ompi_hitopo_base_publish(published_key, published);
    }
    free(published);
    free(nodes);
}

static char *published_places(void)
{
    return is_shared ? ompi_hitopo_base_published(published_key) : NULL;
}

static int file_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_file_query(&settings, published_places, question, answer);
}
