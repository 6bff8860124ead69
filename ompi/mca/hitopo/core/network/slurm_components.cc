// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/slurm_components.h"

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMaxComponents = 128;  // Slurm's own limit

// 0: not set, or no such number.
std::uint64_t count_in(const Variable& variable, const std::string& word) {
    const std::optional<std::uint64_t> count =
        parse_number(variable("SLURM_" + word + "_SIZE").value_or(""));
    return count && *count <= kMaxComponents ? *count : 0;
}

}  // namespace

std::vector<std::string> slurm_components(const Variable& variable) {
    for (const char* word : {"HET", "PACK"}) {
        std::vector<std::string> suffixes;
        const std::uint64_t count = count_in(variable, word);
        for (std::uint64_t i = 0; i < count; ++i) {
            suffixes.push_back("_" + std::string(word) + "_GROUP_" + std::to_string(i));
        }
        if (!suffixes.empty()) {
            return suffixes;
        }
    }
    return {""};
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
