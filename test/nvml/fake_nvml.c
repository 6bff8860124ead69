/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A stand-in of NVIDIA's management library, with what ompi/mca/hitopo/nvml/nvml_abi.h has of its interface. The
 * environment says what it has:
 *
 *     FAKE_NVML       its GPUs: "STATE,STATUS,CLIQUE,BYTE ..": all bytes of the cluster's UUID are BYTE
 *     FAKE_NVML_FAIL  the function that answers 999; "hang": nvmlInit_v2 does not come back
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompi/mca/hitopo/nvml/nvml_abi.h"

enum { MAX_GPUS = 64, INVALID_ARGUMENT = 2, UNKNOWN = 999, ARGUMENT_VERSION_MISMATCH = 25 };

static struct {
    unsigned state, clique, byte;
    int status;
} gpus[MAX_GPUS];
static unsigned num_gpus;
static int is_initialized;

static int fails(const char *function)
{
    const char *failing = getenv("FAKE_NVML_FAIL");

    return NULL != failing && 0 == strcmp(failing, function);
}

int nvmlInit_v2(void)
{
    const char *rest = getenv("FAKE_NVML");
    int used = 0;

    while (fails("hang")) {
        pause();
    }
    for (num_gpus = 0; NULL != rest && num_gpus < MAX_GPUS; rest += used, ++num_gpus) {
        if (4
            != sscanf(rest, " %u,%d,%u,%u%n", &gpus[num_gpus].state, &gpus[num_gpus].status, &gpus[num_gpus].clique,
                      &gpus[num_gpus].byte, &used)) {
            break;
        }
    }
    is_initialized = 1;
    return fails("nvmlInit_v2") ? UNKNOWN : HITOPO_NVML_SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = num_gpus;
    return fails("nvmlDeviceGetCount_v2") || !is_initialized ? UNKNOWN : HITOPO_NVML_SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, hitopo_nvml_device_t *device)
{
    *device = &gpus[index < MAX_GPUS ? index : 0];
    return fails("nvmlDeviceGetHandleByIndex_v2") || index >= num_gpus ? INVALID_ARGUMENT : HITOPO_NVML_SUCCESS;
}

int nvmlDeviceGetGpuFabricInfoV(hitopo_nvml_device_t device, hitopo_nvml_fabric_info_t *info)
{
    const size_t index = (size_t) ((char *) device - (char *) gpus) / sizeof(gpus[0]);

    if (0x02000024 != info->version) { /* as nvml.h has it, for its structure of 36 bytes */
        return ARGUMENT_VERSION_MISMATCH;
    }
    info->state = (unsigned char) gpus[index].state;
    info->status = gpus[index].status;
    info->clique_id = gpus[index].clique;
    memset(info->cluster_uuid, (int) gpus[index].byte, sizeof(info->cluster_uuid));
    return fails("nvmlDeviceGetGpuFabricInfoV") ? UNKNOWN : HITOPO_NVML_SUCCESS;
}
