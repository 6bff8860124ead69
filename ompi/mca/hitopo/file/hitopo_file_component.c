/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component file's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "ompi/mca/hitopo/hitopo.h"

static hitopo_file_settings_t settings;

static int file_register(void);
static int file_query(const hitopo_report_t *report);

HITOPO_COMPONENT(file, file_register, NULL, .query = file_query, .levels = HITOPO_LEVELS_ALL)

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
    };
    int rc = OMPI_SUCCESS;

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]) && OMPI_SUCCESS == rc; ++i) {
        rc = ompi_hitopo_base_register_string(&mca_hitopo_file_component, strings[i].name, strings[i].help,
                                              strings[i].value);
    }
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_file_component, 90);
}

static int file_query(const hitopo_report_t *report)
{
    return hitopo_file_query(&settings, report);
}
