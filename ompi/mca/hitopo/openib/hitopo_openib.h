/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Component openib's work, as its registration calls it.
 */
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_openib_settings_t {
    const char *fabric_file; /* ibnetdiscover's output; NULL or "": none */
    int timeout_ms;          /* for all questions to the fabric together; 0 or less: ask none */
} hitopo_openib_settings_t;

/* The state that a query leaves for the lead that may follow. */
typedef struct hitopo_openib_search_t hitopo_openib_search_t;

/* Reports the leaf switch of this node's InfiniBand port, or the reason why it is unknown. *search, NULL at first, is
 * replaced. OMPI_SUCCESS or an OMPI_ERR_*. */
int hitopo_openib_query(const hitopo_openib_settings_t *settings, const hitopo_question_t *question,
                        hitopo_answer_t *answer, hitopo_openib_search_t **search);

/* Reports the switches above the leaf switch that the query found. OMPI_SUCCESS or an OMPI_ERR_*. */
int hitopo_openib_lead(hitopo_openib_search_t *search, const hitopo_question_t *question, hitopo_answer_t *answer);

void hitopo_openib_forget(hitopo_openib_search_t *search);

#ifdef __cplusplus
}
#endif

#endif
