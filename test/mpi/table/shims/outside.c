/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A component that is built outside of HiTopo, with outside.cc. OUTSIDE_VERSION in the environment replaces the major
 * version of its interface.
 */
#include "ompi_config.h"

#include <stdlib.h>

#include "ompi/mca/hitopo/hitopo.h"

int outside_query(const hitopo_question_t *question, hitopo_answer_t *answer);
static int outside_register(void);

HITOPO_COMPONENT(outside, outside_register, NULL, .query = outside_query, .levels = 1u << HITOPO_LEVEL_SWITCH)

static int outside_register(void)
{
    const char *version = getenv("OUTSIDE_VERSION");

    if (NULL != version) {
        mca_hitopo_outside_component.base_version.mca_type_major_version = atoi(version);
    }
    return ompi_hitopo_base_register_common(&mca_hitopo_outside_component, 99);
}
