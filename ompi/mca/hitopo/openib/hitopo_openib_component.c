/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component openib's registration with Open MPI's MCA.
 */
#include "ompi/mca/hitopo/hitopo.h"

#include "ompi/mca/hitopo/openib/hitopo_openib.h"

static hitopo_openib_settings_t settings;
static hitopo_openib_search_t *search = NULL;

static int openib_register(void);
static int openib_query(const hitopo_question_t *question, hitopo_answer_t *answer);
static int openib_lead(const hitopo_question_t *question, hitopo_answer_t *answer);
static int openib_close(void);

HITOPO_COMPONENT(openib, openib_register, openib_close, .query = openib_query, .lead = openib_lead,
                 .levels = 1u << HITOPO_LEVEL_ISLAND | 1u << HITOPO_LEVEL_SWITCH)

static int openib_register(void)
{
    int rc = ompi_hitopo_base_register_string(&mca_hitopo_openib_component, "fabric_file",
                                              "Path of the output of ibnetdiscover, which all nodes can read. It "
                                              "provides the leaf switch and the island of each InfiniBand port by "
                                              "GUID, for fabrics that processes may not query (default: none)",
                                              &settings.fabric_file);
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    rc = ompi_hitopo_base_register_int(
        "hitopo", "openib", "timeout_ms",
        "Time limit in milliseconds for all queries to the InfiniBand fabric: one packet from one process of each "
        "node, more packets from one process of each leaf switch; 0: never ask",
        OPAL_INFO_LVL_5, 500, 0, &settings.timeout_ms);
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_openib_component, 40);
}

static int openib_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_openib_query(&settings, question, answer, &search);
}

static int openib_lead(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_openib_lead(search, question, answer);
}

static int openib_close(void)
{
    hitopo_openib_forget(search);
    search = NULL;
    return OMPI_SUCCESS;
}
