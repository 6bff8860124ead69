// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The components of a heterogeneous Slurm job, each of which has variables of its own.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_SLURM_COMPONENTS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_SLURM_COMPONENTS_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hitopo {

// The value of an environment variable; empty where it is not set.
using Variable = std::function<std::optional<std::string>(const std::string& name)>;

// The ends of the names of each component's variables: SLURM_JOB_NODELIST + "_HET_GROUP_1". One "" where
// the job has no components. SLURM_HET_SIZE counts them; before Slurm 20.02, SLURM_PACK_SIZE.
std::vector<std::string> slurm_components(const Variable& variable);

// The nodes of the whole job as one list ("n[1-2],g[1-3]"); "" if no variable has it.
std::string slurm_job_nodes(const Variable& variable);

}  // namespace hitopo

#endif
