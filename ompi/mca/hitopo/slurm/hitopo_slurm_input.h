// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component slurm reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_INPUT_H
#define OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_INPUT_H

#include <string>

#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// Slurm's variables; empty where unset.
struct SlurmEnvironment {
    std::string address;       // SLURM_TOPOLOGY_ADDR
    std::string pattern;       // SLURM_TOPOLOGY_ADDR_PATTERN
    std::string node_name;     // SLURMD_NODENAME
    std::string cluster_name;  // SLURM_CLUSTER_NAME
    std::string job;           // SLURM_JOB_ID
};

void answer_slurm(const SlurmEnvironment& environment, Reporter& reporter);

}  // namespace hitopo

#endif
