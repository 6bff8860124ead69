/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component nvml: NVLink domains and cliques of a node's GPUs, as side resources (docs/levels.md).
 */
#ifndef OMPI_MCA_HITOPO_NVML_HITOPO_NVML_H
#define OMPI_MCA_HITOPO_NVML_HITOPO_NVML_H

#include "ompi/mca/hitopo/hitopo_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hitopo_nvml_settings_t {
    const char *library; /* hitopo_nvml_library; NULL or "": libnvidia-ml.so.1, if the driver is here */
    const char *program; /* that asks it: hitopo_nvml_fabric's path */
    const char *driver;  /* a device that is here where the driver is */
    int timeout_ms;      /* hitopo_nvml_timeout_ms; 0: never ask */
} hitopo_nvml_settings_t;

/* Starts to ask, where there is a driver. */
void hitopo_nvml_prepare(const hitopo_nvml_settings_t *settings);

/* Answers 0, or an OMPI_ERR_* code if memory ran out. Waits for timeout_ms at most. */
int hitopo_nvml_query(const hitopo_nvml_settings_t *settings, const hitopo_question_t *question,
                      hitopo_answer_t *answer);

/* Ends a program that was started and not asked for its result. OMPI_SUCCESS. */
int hitopo_nvml_close(void);

#ifdef __cplusplus
}
#endif

#endif
