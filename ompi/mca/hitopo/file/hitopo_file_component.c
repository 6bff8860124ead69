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
static int file_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(file, file_register, NULL, .query = file_query, .levels = HITOPO_LEVELS_ALL)

static int file_register(void)
{
    const int rc = ompi_hitopo_base_register_string(
        &mca_hitopo_file_component, "path",
        "Path of a file that every node can read: a map, which is a text file with values of any level by host name or "
        "rank, for real and simulated jobs, or Slurm's topology.conf. The command hitopo map writes a map from what "
        "Kubernetes, clouds and fabrics write (default: none)",
        &settings.path);

    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_file_component, 90);
}

static int file_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_file_query(&settings, question, answer);
}
