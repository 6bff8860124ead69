// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/check/own_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"

namespace hitopo::tool {
namespace {

std::optional<int> read_positive(std::string_view text) {
    const std::optional<std::uint64_t> number = parse_number(trim(text));
    return number && *number > 0 && *number <= std::numeric_limits<int>::max()
               ? std::optional<int>(static_cast<int>(*number))
               : std::nullopt;
}

}  // namespace

int omp_threads(const OmpVariables& variables) {
    if (variables.num_threads == nullptr ||
        (variables.dynamic != nullptr && equals_ignoring_case(trim(variables.dynamic), "true"))) {
        return 0;
    }
    // " 8 , 2": positive numbers, the outermost region's first.
    const std::vector<std::string_view> list = split(variables.num_threads, ',');
    if (!std::all_of(list.begin(), list.end(),
                     [](std::string_view item) { return read_positive(item).has_value(); })) {
        return 0;
    }
    const int threads = *read_positive(list.front());
    const char* limit = variables.thread_limit;
    return std::min(threads, limit != nullptr ? read_positive(limit).value_or(threads) : threads);
}

Launched launched_by(const Variable& variable) {
    constexpr struct {
        const char *rank, *size;
    } kLaunchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                      {"PMI_RANK", "PMI_SIZE"},  // MPICH's, Intel's, Cray's, Flux's
                      {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                      {"PALS_RANKID", ""},
                      {"SLURM_PROCID", "SLURM_NTASKS"},
                      {"_CONDOR_PROCNO", "_CONDOR_NPROCS"}};
    const auto number = [&](const char* name) { return parse_number(variable(name).value_or("")); };
    for (const auto& launcher : kLaunchers) {
        const std::optional<std::uint64_t> rank = number(launcher.rank), size = number(launcher.size);
        if (size) {
            return {*size > 1 ? fmt::format("{} is {}", launcher.size, *size) : "",
                    rank.value_or(0) == 0};
        }
        if (rank) {  // nothing tells rank 0 of others
            return {*rank > 0 ? fmt::format("{} is {}", launcher.rank, *rank) : "", *rank == 1};
        }
    }
    return {};
}

CpuLimits own_cpu_limits() {
    const OwnCgroup cgroup;
    return {cgroup.allowed_cpus(), CpuMask::of_thread(0).to_set(), cgroup.quotas()};
}

std::string to_text(const CpuLimits& limits) {
    std::string text = limits.allowed.to_string() + ';' + limits.affinity.to_string() + ';';
    std::string quotas;
    for (const CgroupQuota& quota : limits.quotas) {
        add_item(quotas, " ", std::to_string(quota.id) + ':' + std::to_string(quota.milli_cpus));
    }
    return text + quotas;
}

CpuLimits cpu_limits_in(std::string_view text) {
    CpuLimits limits;
    const std::vector<std::string_view> parts = split(text, ';');
    if (parts.size() != 3) {
        return limits;
    }
    limits.allowed = CpuSet::parse_or_empty(parts[0]);
    limits.affinity = CpuSet::parse_or_empty(parts[1]);
    for (const std::string_view quota : split(parts[2], ' ')) {
        const std::size_t colon = quota.find(':');
        const std::optional<std::uint64_t> id = parse_number(quota.substr(0, colon));
        const std::optional<std::uint64_t> milli_cpus =
            colon == std::string_view::npos ? std::nullopt : parse_number(quota.substr(colon + 1));
        if (id && milli_cpus && *milli_cpus <= std::numeric_limits<std::int64_t>::max()) {
            limits.quotas.push_back({*id, static_cast<std::int64_t>(*milli_cpus)});
        }
    }
    return limits;
}

bool are_limits_of(const CpuLimits& limits, const CpuSet& cpus, const CpuSet& all) {
    CpuSet real = limits.affinity;
    if (!all.is_empty()) {
        real &= all;
    }
    return cpus.is_empty() || limits.affinity.is_empty() || real == cpus;
}

}  // namespace hitopo::tool
