/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slurm's registration with MCA.
 */
#include "ompi_config.h"

#include <stdlib.h>

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

#ifndef HITOPO_SLURM_TOPOLOGY
#define HITOPO_SLURM_TOPOLOGY "" /* configure found no Slurm headers to build the program with */
#endif

static const char published_key[] = "hitopo.slurm";

static int timeout_ms;

static int slurm_register(void);
static void slurm_prepare(void);
static int slurm_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(slurm, slurm_register, NULL, .query = slurm_query, .prepare = slurm_prepare,
                 .levels = HITOPO_LEVELS_NETWORK)

static int slurm_register(void)
{
    int rc = ompi_hitopo_base_register_int(
        "hitopo", "slurm", "timeout_ms",
        "Time limit in milliseconds for rank 0 of a Slurm job whose tasks have no SLURM_TOPOLOGY_ADDR to ask slurmctld "
        "for the topology, in MPI_Init; 0: never ask",
        OPAL_INFO_LVL_6, 500, 0, &timeout_ms);
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_slurm_component, 50);
}

/* One process of the job asks; MPI_Init's own fence brings the answer to all. */
static void slurm_prepare(void)
{
    char *published = ompi_hitopo_base_is_first_process() ? hitopo_slurm_ask(HITOPO_SLURM_TOPOLOGY, timeout_ms) : NULL;

    if (NULL != published) {
        ompi_hitopo_base_publish(published_key, published);
        free(published);
    }
}

static char *published_topology(void)
{
    return ompi_hitopo_base_published(published_key);
}

static int slurm_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_slurm_query(published_topology, question, answer);
}
