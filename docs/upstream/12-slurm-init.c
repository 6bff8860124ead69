/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * cc 12-slurm-init.c -o load -lslurm; SLURM_CONF=/nonexistent ./load
 * After 60 s slurm_init ends the process: "fatal: Unable to process configuration file".
 */
#include <slurm/slurm.h>

int main(void)
{
    topo_info_response_msg_t *topology;

    slurm_init(NULL);
    return slurm_load_topo(&topology);
}
