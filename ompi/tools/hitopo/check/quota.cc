// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// More processes, or threads, than a control group's quota of CPU time has CPUs.
#include <algorithm>
#include <limits>
#include <map>

#include "ompi/tools/hitopo/check/rules.h"

namespace hitopo::tool {
namespace {

// The processes of a node that share a quota.
struct Sharers {
    std::int64_t milli_cpus = 0;
    std::vector<int> ranks;
    std::int64_t num_threads = 0;  // no more of a process than it has CPUs
};

std::int64_t threads_of(const CheckedProcess& process) {
    const int most = process.cpus != nullptr ? process.cpus->count() : process.threads;
    return std::clamp(process.threads, 1, std::max(most, 1));
}

int as_int(std::int64_t number) {
    return static_cast<int>(std::min<std::int64_t>(number, std::numeric_limits<int>::max()));
}

// By their ranks: of groups that lie in each other, with the same processes, the least quota counts.
std::map<std::vector<int>, Sharers> sharers_on(const CheckedNode& node, const Placement& placement) {
    std::map<std::uint64_t, Sharers> by_group;
    for (const int rank : node.ranks) {
        const CheckedProcess& process = placement.processes[static_cast<std::size_t>(rank)];
        for (const CgroupQuota& quota : process.quotas) {
            Sharers& sharers = by_group[quota.id];
            sharers.milli_cpus = quota.milli_cpus;
            sharers.ranks.push_back(rank);
            sharers.num_threads += threads_of(process);
        }
    }
    std::map<std::vector<int>, Sharers> by_ranks;
    for (const auto& [id, sharers] : by_group) {
        const auto [entry, is_new] = by_ranks.try_emplace(sharers.ranks, sharers);
        entry->second.milli_cpus = std::min(entry->second.milli_cpus, sharers.milli_cpus);
    }
    return by_ranks;
}

}  // namespace

void find_quota(const Placement& placement, std::vector<Occurrence>& found) {
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        const CheckedNode& node = placement.nodes[n];
        const std::int64_t all = node.machine != nullptr ? node.machine->cpus.count() * 1000LL
                                                         : std::numeric_limits<std::int64_t>::max();
        for (const auto& [ranks, sharers] : sharers_on(node, placement)) {
            const auto num_processes = static_cast<std::int64_t>(ranks.size());
            const bool has_too_many = num_processes * 1000 > sharers.milli_cpus;
            if (sharers.milli_cpus >= all ||
                (!has_too_many && sharers.num_threads * 1000 <= sharers.milli_cpus)) {
                continue;
            }
            found.push_back({has_too_many ? FindingKind::kQuota : FindingKind::kQuotaThreads,
                             as_int(has_too_many ? num_processes : sharers.num_threads),
                             as_int(sharers.milli_cpus), ranks, n});
        }
    }
}

}  // namespace hitopo::tool
