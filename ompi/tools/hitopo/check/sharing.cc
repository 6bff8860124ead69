// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// More processes, or threads, than CPUs, or than a control group's quota of CPU time has CPUs.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/check/short_sets.h"

namespace hitopo::tool {
namespace {

// Processes of a node that may run on the same CPUs.
struct Equals {
    const CpuSet* cpus = nullptr;
    std::vector<int> ranks;
    int num_wanted = 0;            // CPUs, one a thread: of each process one or more, at most all
    std::int64_t num_threads = 0;  // of all
};

int as_int(std::int64_t number) {
    return static_cast<int>(std::min<std::int64_t>(number, std::numeric_limits<int>::max()));
}

// What the rules find on one node.
class Finder {
public:
    Finder(const Placement& placement, std::size_t node, std::vector<Occurrence>& found)
        : placement_(placement), node_(node), machine_(placement.nodes[node].machine), found_(found) {
        std::map<const CpuSet*, std::size_t> known;
        for (const int rank : placement.nodes[node].ranks) {
            const CheckedProcess& process = process_of(rank);
            if (process.cpus == nullptr) {
                knows_all_ = false;
                continue;
            }
            const auto [entry, is_new] = known.try_emplace(process.cpus.get(), groups_.size());
            if (is_new) {
                groups_.push_back({process.cpus.get(), {}});
                all_ |= *process.cpus;
            }
            Equals& group = groups_[entry->second];
            group.ranks.push_back(rank);
            group.num_wanted += std::clamp(process.threads, 1, process.cpus->count());
            group.num_threads += std::max(process.threads, 1);
        }
        std::stable_sort(groups_.begin(), groups_.end(), [](const Equals& a, const Equals& b) {
            return a.cpus->count() < b.cpus->count();
        });
    }

    void find() {
        const std::vector<int>& ranks = placement_.nodes[node_].ranks;
        const int num_cpus = machine_ != nullptr ? machine_->cpus.count() : 0;
        const bool is_overloaded =
            machine_ != nullptr && ranks.size() > static_cast<std::size_t>(num_cpus);
        if (is_overloaded) {
            found_.push_back(
                {FindingKind::kOverloadedNode, static_cast<int>(ranks.size()), num_cpus, ranks, node_});
        }
        if (!is_overloaded || (knows_all_ && !machine_->cpus.is_subset_of(all_))) {
            find_crowded_sets();
            find_crowded_cores();
        }
        if (!is_overloaded) {
            find_crowded_by_threads();
        }
        find_quota();
    }

private:
    const CheckedProcess& process_of(int rank) const {
        return placement_.processes[static_cast<std::size_t>(rank)];
    }

    // All processes that may run nowhere else.
    Equals inside(const CpuSet& cpus) const {
        Equals all{&cpus, {}};
        for (const Equals& group : groups_) {
            if (group.cpus->is_subset_of(cpus)) {
                all.ranks.insert(all.ranks.end(), group.ranks.begin(), group.ranks.end());
                all.num_wanted += group.num_wanted;
                all.num_threads += group.num_threads;
            }
        }
        return all;
    }

    // Some CPUs, and more processes that may run nowhere else: these take turns, whatever the system
    // does. Only the smallest such sets are told.
    void find_crowded_sets() {
        std::vector<CpuWish> wishes;
        for (const Equals& group : groups_) {
            wishes.push_back({group.cpus, static_cast<int>(group.ranks.size())});
        }
        for (const CpuSet& cpus : short_sets(wishes)) {
            const Equals crowd = inside(cpus);
            const bool is_whole_node = machine_ != nullptr && machine_->cpus.is_subset_of(cpus);
            const auto count = static_cast<int>(crowd.ranks.size());
            if (!is_whole_node && !holds_told(cpus)) {
                told_.push_back(cpus);
                const bool is_core = core_around(cpus) != nullptr;
                report(is_core ? FindingKind::kSharedCore : FindingKind::kSharedCpus, count,
                       is_core ? 0 : cpus.count(), crowd.ranks, cpus);
            }
        }
    }

    // The same for threads, where processes alone have enough.
    void find_crowded_by_threads() {
        std::vector<CpuWish> wishes;
        for (const Equals& group : groups_) {
            wishes.push_back({group.cpus, group.num_wanted});
        }
        for (const CpuSet& cpus : short_sets(wishes)) {
            if (!holds_told(cpus)) {
                const Equals crowd = inside(cpus);
                told_.push_back(cpus);
                report(FindingKind::kSharedThreads, as_int(crowd.num_threads), cpus.count(), crowd.ranks,
                       cpus);
            }
        }
    }

    // Several processes on one core that has a hardware thread for each, while other cores are free.
    void find_crowded_cores() {
        if (machine_ == nullptr || !knows_all_) {
            return;
        }
        const auto num_free = std::count_if(machine_->cores.begin(), machine_->cores.end(),
                                            [&](CpuSet core) { return (core &= all_).is_empty(); });
        if (num_free == 0) {
            return;
        }
        for (const CpuSet& core : machine_->cores) {
            CpuSet together;
            int num_cpus = 0;
            std::vector<int> ranks;
            for (const Equals& group : groups_) {
                if (group.cpus->is_subset_of(core)) {
                    together |= *group.cpus;
                    num_cpus += group.cpus->count() * static_cast<int>(group.ranks.size());
                    ranks.insert(ranks.end(), group.ranks.begin(), group.ranks.end());
                }
            }
            if (ranks.size() > 1 && !holds_told(core)) {
                const bool is_apart = num_cpus == together.count();
                report(is_apart ? FindingKind::kHwThreads : FindingKind::kSharedCore,
                       static_cast<int>(ranks.size()), is_apart ? static_cast<int>(num_free) : 0, ranks,
                       together);
            }
        }
    }

    // By the processes that share a quota: of groups that lie in each other, the least counts.
    void find_quota() {
        std::map<std::uint64_t, std::vector<int>> by_group;
        std::map<std::uint64_t, std::int64_t> quotas;
        for (const int rank : placement_.nodes[node_].ranks) {
            for (const CgroupQuota& quota : process_of(rank).quotas) {
                by_group[quota.id].push_back(rank);
                quotas[quota.id] = quota.milli_cpus;
            }
        }
        std::map<std::vector<int>, std::int64_t> by_ranks;
        for (const auto& [id, ranks] : by_group) {
            const auto [entry, is_new] = by_ranks.try_emplace(ranks, quotas[id]);
            entry->second = std::min(entry->second, quotas[id]);
        }
        for (const auto& [ranks, milli_cpus] : by_ranks) {
            std::int64_t num_threads = 0;  // no more of a process than it has CPUs
            for (const int rank : ranks) {
                const CheckedProcess& process = process_of(rank);
                const int most = process.cpus != nullptr ? process.cpus->count() : process.threads;
                num_threads += std::clamp(process.threads, 1, std::max(most, 1));
            }
            const auto num_processes = static_cast<std::int64_t>(ranks.size());
            const bool is_of_all = machine_ != nullptr && milli_cpus >= machine_->cpus.count() * 1000LL;
            if (!is_of_all && num_processes * 1000 > milli_cpus) {
                found_.push_back(
                    {FindingKind::kQuota, as_int(num_processes), as_int(milli_cpus), ranks, node_});
            } else if (!is_of_all && num_threads * 1000 > milli_cpus) {
                found_.push_back(
                    {FindingKind::kQuotaThreads, as_int(num_threads), as_int(milli_cpus), ranks, node_});
            }
        }
    }

    const CpuSet* core_around(const CpuSet& cpus) const {
        if (machine_ == nullptr) {
            return nullptr;
        }
        const auto core =
            std::find_if(machine_->cores.begin(), machine_->cores.end(),
                         [&](const CpuSet& candidate) { return cpus.is_subset_of(candidate); });
        return core != machine_->cores.end() ? &*core : nullptr;
    }

    bool holds_told(const CpuSet& cpus) const {
        return std::any_of(told_.begin(), told_.end(),
                           [&](const CpuSet& told) { return told.is_subset_of(cpus); });
    }

    void report(FindingKind kind, int count, int of, const std::vector<int>& ranks, const CpuSet& cpus) {
        found_.push_back(
            {kind, count, of, ranks, node_, (cpus.count() == 1 ? "CPU " : "CPUs ") + cpus.to_string()});
    }

    const Placement& placement_;
    const std::size_t node_;
    const CheckedMachine* machine_;
    std::vector<Occurrence>& found_;
    std::vector<Equals> groups_;  // few CPUs first
    CpuSet all_;
    bool knows_all_ = true;  // the CPUs of all processes
    std::vector<CpuSet> told_;
};

}  // namespace

void find_sharing(const Placement& placement, std::vector<Occurrence>& found) {
    for (std::size_t node = 0; node < placement.nodes.size(); ++node) {
        Finder(placement, node, found).find();
    }
}

}  // namespace hitopo::tool
