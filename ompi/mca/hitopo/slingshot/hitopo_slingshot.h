/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component slingshot: island and switch from the MAC addresses that a Slingshot fabric manager gives a node.
 */
#ifndef OMPI_MCA_HITOPO_SLINGSHOT_HITOPO_SLINGSHOT_H
#define OMPI_MCA_HITOPO_SLINGSHOT_HITOPO_SLINGSHOT_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers 0, or an OMPI_ERR_* code if memory ran out. Reads the kernel's files of the node's hsn interfaces. */
int hitopo_slingshot_query(const hitopo_question_t *question, hitopo_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
