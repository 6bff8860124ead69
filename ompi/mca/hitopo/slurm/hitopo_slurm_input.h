// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component slurm reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_INPUT_H
#define OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_INPUT_H

#include <functional>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/address/answer.h"

namespace hitopo {

// Slurm's variables; empty where unset.
struct SlurmEnvironment {
    std::string address;       // SLURM_TOPOLOGY_ADDR
    std::string pattern;       // SLURM_TOPOLOGY_ADDR_PATTERN
    std::string node_name;     // SLURMD_NODENAME
    std::string cluster_name;  // SLURM_CLUSTER_NAME
    std::string job;           // SLURM_JOB_ID
    std::string job_nodes;     // SLURM_JOB_NODELIST, of all components of the job
};

// What the process that asked slurmctld published (published_topology.h); nothing if none asked.
using PublishedTopology = std::function<std::optional<std::string>()>;

// published: called only in a Slurm job whose tasks have no topology address.
void answer_slurm(const SlurmEnvironment& environment, const PublishedTopology& published,
                  const Question& question, Answer& answer);

// What to publish, in the job's first process. In a Slurm job there always is one, if only to say why
// nobody asked. Where the process's own topology address is missing, `program` asks slurmctld; bounded
// by timeout_ms, 0: never.
std::optional<std::string> ask_slurm(const SlurmEnvironment& environment, const std::string& program,
                                     int timeout_ms);

}  // namespace hitopo

#endif
