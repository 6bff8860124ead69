/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component nvml's registration with MCA.
 */
#include "ompi_config.h"

#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/hitopo/nvml/hitopo_nvml.h"

static hitopo_nvml_settings_t settings = {.program = HITOPO_NVML_FABRIC, .driver = "/dev/nvidiactl"};

static int nvml_register(void);
static int nvml_query(const hitopo_question_t *question, hitopo_answer_t *answer);
static void nvml_prepare(void);

HITOPO_COMPONENT(nvml, nvml_register, hitopo_nvml_close, .query = nvml_query, .prepare = nvml_prepare, .levels = 0)

static int nvml_register(void)
{
    int rc = ompi_hitopo_base_register_string(
        &mca_hitopo_nvml_component, "library",
        "Path or name of NVIDIA's management library (default: libnvidia-ml.so.1, if there is a driver)",
        &settings.library);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_hitopo_base_register_int(
            "hitopo", "nvml", "timeout_ms",
            "Time limit in milliseconds for local rank 0 of a node with GPUs to ask for their NVLink domains; 0: never "
            "ask",
            OPAL_INFO_LVL_6, 2000, 0, &settings.timeout_ms);
    }
    return OMPI_SUCCESS != rc ? rc : ompi_hitopo_base_register_common(&mca_hitopo_nvml_component, 70);
}

static int nvml_query(const hitopo_question_t *question, hitopo_answer_t *answer)
{
    return hitopo_nvml_query(&settings, question, answer);
}

static void nvml_prepare(void)
{
    hitopo_nvml_prepare(&settings);
}
