// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/slurm_components.h"

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {

std::vector<std::string> slurm_components(const Variable& variable) {
    constexpr std::uint64_t kMaxComponents = 128;  // Slurm's own limit
    const auto count = parse_number(variable("SLURM_HET_SIZE").value_or(""));
    std::vector<std::string> suffixes;
    for (std::uint64_t i = 0; count && *count <= kMaxComponents && i < *count; ++i) {
        suffixes.push_back("_HET_GROUP_" + std::to_string(i));
    }
    return suffixes.empty() ? std::vector<std::string>{""} : suffixes;
}

std::string slurm_job_nodes(const Variable& variable) {
    std::string nodes;
    for (const std::string& component : slurm_components(variable)) {
        const std::string list = variable("SLURM_JOB_NODELIST" + component).value_or("");
        if (!list.empty()) {
            add_item(nodes, ",", list);
        }
    }
    return nodes.empty() ? variable("SLURM_JOB_NODELIST").value_or("") : nodes;
}

}  // namespace hitopo
