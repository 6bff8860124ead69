/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component lldp: the switch that a node's Ethernet is linked to, as its lldpd heard it; the island from the
 * switch's name.
 */
#ifndef OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_H
#define OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings may be NULL. */
typedef struct hitopo_lldp_settings_t {
    const char *program;    /* hitopo_lldp_program; NULL or "": /usr/sbin/lldpcli */
    const char *socket;     /* hitopo_lldp_socket; NULL or "": the program's own */
    const char *interfaces; /* hitopo_lldp_interfaces, as lldpcli takes them: "ens1,ib*"; NULL or "": all */
    const char
        *pattern;   /* hitopo_lldp_pattern (core/network/host_pattern.h), for names of switches; NULL or "": none */
    int timeout_ms; /* hitopo_lldp_timeout_ms; 0: nobody is asked */
} hitopo_lldp_settings_t;

/* Answers 0, or an OMPI_ERR_* code if memory ran out. In the process that asks for its node it takes up to
 * timeout_ms. */
int hitopo_lldp_query(const hitopo_lldp_settings_t *settings, const hitopo_question_t *question,
                      hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
