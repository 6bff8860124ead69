/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that we use of NVIDIA's management library, which is loaded and not built with: the binary interface
 * that its header nvml.h documents, of versions from 2023 on. The stand-in of our tests has the same.
 */
#ifndef OMPI_MCA_HITOPO_NVML_NVML_ABI_H
#define OMPI_MCA_HITOPO_NVML_NVML_ABI_H

enum { HITOPO_NVML_SUCCESS = 0, HITOPO_NVML_UUID_BYTES = 16 };

typedef void *hitopo_nvml_device_t;

/* nvmlGpuFabricInfo_v2_t: of nvmlDeviceGetGpuFabricInfoV. */
typedef struct hitopo_nvml_fabric_info_t {
    unsigned version; /* HITOPO_NVML_FABRIC_INFO_VERSION, set by the caller */
    unsigned char cluster_uuid[HITOPO_NVML_UUID_BYTES];
    int status; /* of the probe of the fabric, as of the functions */
    unsigned clique_id;
    unsigned char state; /* 0: not supported, 1: not started, 2: in progress, 3: completed */
    unsigned health_mask;
} hitopo_nvml_fabric_info_t;

/* The size, and 2 in the highest byte. */
#define HITOPO_NVML_FABRIC_INFO_VERSION ((unsigned) sizeof(hitopo_nvml_fabric_info_t) | 2u << 24)

/* nvmlInit_v2, nvmlShutdown; nvmlDeviceGetCount_v2; nvmlDeviceGetHandleByIndex_v2; nvmlDeviceGetGpuFabricInfoV. */
typedef int (*hitopo_nvml_plain_fn_t)(void);
typedef int (*hitopo_nvml_count_fn_t)(unsigned *count);
typedef int (*hitopo_nvml_handle_fn_t)(unsigned index, hitopo_nvml_device_t *device);
typedef int (*hitopo_nvml_fabric_fn_t)(hitopo_nvml_device_t device, hitopo_nvml_fabric_info_t *info);

#endif
