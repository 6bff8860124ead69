/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component cpuid's work, as its registration calls it.
 */
#ifndef OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_H
#define OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_cpuid_settings_t {
    int timeout_ms; /* for asking all CPUs; 0 or less: none is asked */
} hitopo_cpuid_settings_t;

/* Gives the machine (Machine, Package, Core, PU) if question->wants_machine, or the reason why there is none.
 * The caller's binding and signal mask are as before when it returns. OMPI_SUCCESS or an OMPI_ERR_*. */
int hitopo_cpuid_query(const hitopo_cpuid_settings_t *settings, const hitopo_question_t *question,
                       hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
