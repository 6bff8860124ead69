/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of its own, run by component nvml while MPI_Init waits: loads NVIDIA's management library, named by its
 * argument, and prints each GPU's place in the NVLink fabric. A driver that hangs hangs here.
 *
 *     gpu INDEX STATE STATUS CLIQUE UUID      UUID: 32 hexadecimal digits, bytes in their order
 *     error TEXT                              the last line, where something failed: nothing counts
 *     library TEXT                            likewise, where the library is none that can be used
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "ompi/mca/hitopo/nvml/nvml_abi.h"

enum { MAX_GPUS = 1024 };

static void *library;

static void fail(const char *kind, const char *what, const char *why)
{
    printf("%s %s: %s\n", kind, what, why);
    exit(EXIT_FAILURE);
}

static void must(const char *function, int code)
{
    char why[64];

    if (HITOPO_NVML_SUCCESS != code) {
        snprintf(why, sizeof(why), "NVML's error %d", code);
        fail("error", function, why);
    }
}

static void *find(const char *function)
{
    void *found = dlsym(library, function);

    if (NULL == found) {
        fail("library", function, "this NVML has no such function; it needs driver 535 or later");
    }
    return found;
}

static void print_gpu(unsigned index, hitopo_nvml_fabric_fn_t get_info, hitopo_nvml_device_t device)
{
    hitopo_nvml_fabric_info_t info = {.version = HITOPO_NVML_FABRIC_INFO_VERSION};
    const int code = get_info(device, &info);

    if (HITOPO_NVML_SUCCESS != code) { /* a GPU without a fabric may not know the question */
        info = (hitopo_nvml_fabric_info_t){.status = code};
    }
    printf("gpu %u %u %d %u ", index, (unsigned) info.state, info.status, info.clique_id);
    for (int i = 0; i < HITOPO_NVML_UUID_BYTES; ++i) {
        printf("%02x", info.cluster_uuid[i]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    hitopo_nvml_device_t device;
    unsigned count = 0;

    if (2 != argc || NULL == (library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))) {
        fail("library", "no NVML", 2 == argc ? dlerror() : "the library name is missing");
    }
    hitopo_nvml_plain_fn_t init = (hitopo_nvml_plain_fn_t) find("nvmlInit_v2");
    hitopo_nvml_count_fn_t get_count = (hitopo_nvml_count_fn_t) find("nvmlDeviceGetCount_v2");
    hitopo_nvml_handle_fn_t get_handle = (hitopo_nvml_handle_fn_t) find("nvmlDeviceGetHandleByIndex_v2");
    hitopo_nvml_fabric_fn_t get_info = (hitopo_nvml_fabric_fn_t) find("nvmlDeviceGetGpuFabricInfoV");

    must("nvmlInit_v2", init());
    must("nvmlDeviceGetCount_v2", get_count(&count));
    for (unsigned index = 0; index < count && index < MAX_GPUS; ++index) {
        must("nvmlDeviceGetHandleByIndex_v2", get_handle(index, &device));
        print_gpu(index, get_info, device);
    }
    return EXIT_SUCCESS; /* the end of the program is all the shutdown that NVML needs */
}
