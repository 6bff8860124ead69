/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component cpuid's registration with Open MPI's MCA.
 */
#include "ompi/mca/hitopo/hitopo.h"

#include "ompi/mca/hitopo/cpuid/hitopo_cpuid.h"

static hitopo_cpuid_settings_t settings;

static int cpuid_register(void);
static int cpuid_query(const hitopo_question_t *question, hitopo_answer_t *answer);

HITOPO_COMPONENT(cpuid, cpuid_register, NULL, .query = cpuid_query, .levels = HITOPO_LEVELS_INSIDE)

static int cpuid_register(void)
{
    const int rc = ompi_hitopo_base_register_int(
        "hitopo", "cpuid", "timeout_ms",
        "Time limit in milliseconds for one process of each node to execute cpuid on all CPUs of the node. After that "
        "time the component reports no machine; 0: never ask",
        OPAL_INFO_LVL_6, 100, 0, &settings.timeout_ms);
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_cpuid_component, 30);
}

static int cpuid_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_cpuid_query(&settings, question, answer);
}
