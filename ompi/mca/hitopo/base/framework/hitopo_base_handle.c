/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking a component, whoever holds it: the framework, or a test in its place (test/base/fake_frame.c).
 */
#include "ompi_config.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

int hitopo_glue_query(void *handle, const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return ((mca_hitopo_base_component_t *) handle)->query(question, answer);
}

int hitopo_glue_lead(void *handle, const hitopo_question_t *question, hitopo_answer_t *answer)
{
    const mca_hitopo_base_component_t *component = handle;

    return NULL == component->lead ? OMPI_ERR_NOT_SUPPORTED : component->lead(question, answer);
}
