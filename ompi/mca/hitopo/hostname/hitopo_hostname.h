/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component hostname: the node's name and, from a pattern, cluster, island and switch.
 */
#ifndef OMPI_MCA_HITOPO_HOSTNAME_HITOPO_HOSTNAME_H
#define OMPI_MCA_HITOPO_HOSTNAME_HITOPO_HOSTNAME_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_hostname_settings_t {
    const char *pattern;  /* hitopo_hostname_pattern (core/network/host_pattern.h); NULL or "": none */
    const char *variable; /* hitopo_hostname_variable, whose value base gives to all components (node_names) */
} hitopo_hostname_settings_t;

/* Answers 0, or an OMPI_ERR_* code if memory ran out. */
int hitopo_hostname_query(const hitopo_hostname_settings_t *settings, const hitopo_question_t *question,
                          hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
