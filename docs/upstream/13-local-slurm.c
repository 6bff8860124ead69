/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * cc 13-local-slurm.c -o load; on a node of a cluster: ./load
 * Ends with "symbol lookup error: .. undefined symbol: slurm_get_log_level"; RTLD_GLOBAL helps.
 */
#include <dlfcn.h>

int main(void)
{
    void *topology, *library = dlopen("libslurm.so.38", RTLD_NOW | RTLD_LOCAL);
    void (*init)(const char *) = dlsym(library, "slurm_init");
    int (*load_topo)(void **) = dlsym(library, "slurm_load_topo");

    init(0);
    return load_topo(&topology);
}
