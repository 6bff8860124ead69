// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rules about processes: more of them, or of their threads, than CPUs, or than a control group's quota
// of CPU time has CPUs; and how they are bound.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "ompi/tools/hitopo/check/check.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// ---- sets of CPUs that are fewer than the wishes for them ----

// A maximum flow by augmenting paths: a wish for one more CPU takes that of another wish, which takes
// one elsewhere, and so on.
class Flow {
public:
    explicit Flow(const std::vector<CpuWish>& wishes) : wishes_(wishes) {
        CpuSet all;
        for (const CpuWish& wish : wishes) {
            all |= *wish.cpus;
        }
        owner_.assign(static_cast<std::size_t>(all.last()) + 1, kNone);
    }

    std::vector<CpuSet> find() {
        std::vector<CpuSet> found;
        for (std::size_t wish = 0; wish < wishes_.size(); ++wish) {
            for (int i = 0; i < wishes_[wish].num_wanted; ++i) {
                is_reached_.assign(wishes_.size(), false);
                reached_ = CpuSet();
                if (!serve(wish)) {
                    found.push_back(reached_);
                    break;
                }
            }
        }
        return found;
    }

private:
    // Whether the wish gets one CPU more.
    bool serve(std::size_t wish) {
        const CpuSet& cpus = *wishes_[wish].cpus;
        is_reached_[wish] = true;
        reached_ |= cpus;
        for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
            std::size_t& owner = owner_[static_cast<std::size_t>(cpu)];
            if (owner == kNone || (!is_reached_[owner] && serve(owner))) {
                owner = wish;
                return true;
            }
        }
        return false;
    }

    const std::vector<CpuWish>& wishes_;
    std::vector<std::size_t> owner_;  // the wish that has the CPU
    std::vector<bool> is_reached_;    // wishes that give up a CPU, if they get another one
    CpuSet reached_;                  // the CPUs of these
};

// ---- sharing ----

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

// The findings of the rules on one node.
class Finder {
public:
    Finder(const CheckedJob& job, std::size_t node, std::vector<Occurrence>& found)
        : job_(job), node_(node), machine_(job.nodes[node].machine), found_(found) {
        std::map<const CpuSet*, std::size_t> known;
        for (const int rank : job.nodes[node].ranks) {
            const CheckedProcess& process = job_.process(rank);
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
        const std::vector<int>& ranks = job_.nodes[node_].ranks;
        const int num_cpus = machine_ != nullptr ? machine_->cpus.count() : 0;
        const bool is_overloaded =
            machine_ != nullptr && ranks.size() > static_cast<std::size_t>(num_cpus);
        if (is_overloaded) {
            found_.push_back(
                {FindingKind::kOverloadedNode, static_cast<int>(ranks.size()), num_cpus, ranks, node_});
        }
        if (!is_overloaded || (knows_all_ && !machine_->cpus.is_subset_of(all_))) {
            find_crowded_sets(false);
            find_crowded_cores();
        }
        if (!is_overloaded) {
            find_crowded_sets(true);
        }
        find_quota();
    }

private:
    // All processes that may run nowhere else.
    Equals inside(const CpuSet& cpus) const {
        Equals all{&cpus, {}};
        for (const Equals& group : groups_) {
            if (group.cpus->is_subset_of(cpus)) {
                all.ranks.insert(all.ranks.end(), group.ranks.begin(), group.ranks.end());
                all.num_threads += group.num_threads;
            }
        }
        return all;
    }

    // Finds CPUs for which more processes wait that may run nowhere else: these take turns, whatever the
    // system does. It reports the smallest such sets only. of_threads: the same for threads, where
    // processes alone have enough.
    void find_crowded_sets(bool of_threads) {
        std::vector<CpuWish> wishes;
        for (const Equals& group : groups_) {
            wishes.push_back(
                {group.cpus, of_threads ? group.num_wanted : static_cast<int>(group.ranks.size())});
        }
        for (const CpuSet& cpus : short_sets(wishes)) {
            const bool is_whole_node = machine_ != nullptr && machine_->cpus.is_subset_of(cpus);
            if (holds_reported(cpus) || (is_whole_node && !of_threads)) {
                continue;
            }
            reported_.push_back(cpus);
            const Equals crowd = inside(cpus);
            const auto num_processes = static_cast<int>(crowd.ranks.size());
            if (of_threads) {
                report(FindingKind::kSharedThreads, as_int(crowd.num_threads), cpus.count(), crowd.ranks,
                       cpus);
            } else if (is_in_core(cpus)) {
                report(FindingKind::kSharedCore, num_processes, 0, crowd.ranks, cpus);
            } else {
                report(FindingKind::kSharedCpus, num_processes, cpus.count(), crowd.ranks, cpus);
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
            if (ranks.size() > 1 && !holds_reported(core)) {
                const bool is_apart = num_cpus == together.count();
                report(is_apart ? FindingKind::kHwThreads : FindingKind::kSharedCore,
                       static_cast<int>(ranks.size()), is_apart ? static_cast<int>(num_free) : 0, ranks,
                       together);
            }
        }
    }

    // By the processes that share a quota: of groups that lie in each other, the least counts.
    void find_quota() {
        std::map<std::uint64_t, std::pair<std::vector<int>, std::int64_t>> by_group;
        for (const int rank : job_.nodes[node_].ranks) {
            for (const CgroupQuota& quota : job_.process(rank).quotas) {
                by_group[quota.id].first.push_back(rank);
                by_group[quota.id].second = quota.milli_cpus;
            }
        }
        std::map<std::vector<int>, std::int64_t> by_ranks;
        for (const auto& [id, group] : by_group) {
            std::int64_t& least = by_ranks.emplace(group).first->second;
            least = std::min(least, group.second);
        }
        for (const auto& [ranks, milli_cpus] : by_ranks) {
            std::int64_t num_threads = 0;  // no more of a process than it has CPUs
            for (const int rank : ranks) {
                const CheckedProcess& process = job_.process(rank);
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

    bool is_in_core(const CpuSet& cpus) const {
        return machine_ != nullptr &&
               std::any_of(machine_->cores.begin(), machine_->cores.end(),
                           [&](const CpuSet& core) { return cpus.is_subset_of(core); });
    }

    bool holds_reported(const CpuSet& cpus) const {
        return std::any_of(reported_.begin(), reported_.end(),
                           [&](const CpuSet& each) { return each.is_subset_of(cpus); });
    }

    void report(FindingKind kind, int count, int of, const std::vector<int>& ranks, const CpuSet& cpus) {
        found_.push_back(
            {kind, count, of, ranks, node_, (cpus.count() == 1 ? "CPU " : "CPUs ") + cpus.to_string()});
    }

    const CheckedJob& job_;
    const std::size_t node_;
    const CheckedMachine* machine_;
    std::vector<Occurrence>& found_;
    std::vector<Equals> groups_;  // few CPUs first
    CpuSet all_;
    bool knows_all_ = true;  // the CPUs of all processes
    std::vector<CpuSet> reported_;
};

// ---- bindings: processes that are not bound, that are all bound to one socket, or to fewer CPUs than
// they have threads ----

// The part of its node on which a process may run.
struct Reached {
    bool is_known = false;  // its CPUs, and its node's machine, of several cores
    bool is_node = false;   // all of it
    int num_sockets = 0;
};

int sockets_of(const CheckedMachine& machine, const CpuSet& cpus) {
    return static_cast<int>(
        std::count_if(machine.sockets.begin(), machine.sockets.end(), [&](const CpuSet& socket) {
            CpuSet shared = cpus;
            return !(shared &= socket).is_empty();
        }));
}

Reached reach_of(const CheckedMachine* machine, const CpuSet* cpus) {
    if (machine == nullptr || cpus == nullptr || machine->cores.size() < 2) {
        return {};
    }
    return {true, machine->cpus.is_subset_of(*cpus), sockets_of(*machine, *cpus)};
}

// To a part of one socket, or of a node of one socket.
bool is_bound(const Reached& reached) {
    return reached.is_known && !reached.is_node && reached.num_sockets < 2;
}

// is_job_bound: some process of the job is. If none is, processes that share a node move from socket to
// socket, away from their memory.
void find_in_node(const CheckedJob& job, std::size_t n, const std::vector<Reached>& reached,
                  bool is_job_bound, std::vector<Occurrence>& found) {
    const CheckedNode& node = job.nodes[n];
    if (node.machine == nullptr) {
        return;
    }
    const std::vector<CpuSet>& sockets = node.machine->sockets;
    const bool is_shared = node.ranks.size() > 1;
    const bool has_bound = std::any_of(node.ranks.begin(), node.ranks.end(), [&](int rank) {
        return is_bound(reached[static_cast<std::size_t>(rank)]);
    });
    CpuSet all;  // CPUs of its processes
    for (const int rank : node.ranks) {
        const CheckedProcess& process = job.process(rank);
        const Reached& own = reached[static_cast<std::size_t>(rank)];
        all |= is_bound(own) ? *process.cpus : node.machine->cpus;
        // With more threads than any socket has CPUs, it has to use several.
        const bool needs_sockets =
            std::all_of(sockets.begin(), sockets.end(),
                        [&](const CpuSet& socket) { return socket.count() < process.threads; });
        if (!is_job_bound) {
            if (own.num_sockets > 1 && is_shared && !needs_sockets) {
                found.push_back({FindingKind::kAcrossSockets, own.num_sockets, 0, {rank}, n});
            }
        } else if (!has_bound && !(is_shared && sockets.size() > 1)) {
            // A process alone on its node disturbs no other, and --bind-to socket gives the one socket
            // of a node.
            continue;
        } else if (own.is_node) {
            found.push_back({FindingKind::kUnbound, node.machine->cpus.count(), 0, {rank}, n});
        } else if (own.num_sockets > 1 && !needs_sockets) {
            found.push_back({FindingKind::kSeveralSockets, own.num_sockets, 0, {rank}, n});
        }
    }
    if (is_job_bound && is_shared && sockets.size() > 1 && sockets_of(*node.machine, all) == 1) {
        found.push_back({FindingKind::kOneSocket, static_cast<int>(sockets.size()), 0, node.ranks, n});
    }
}

}  // namespace

std::vector<CpuSet> short_sets(const std::vector<CpuWish>& wishes) { return Flow(wishes).find(); }

void find_sharing(const CheckedJob& job, std::vector<Occurrence>& found) {
    for (std::size_t node = 0; node < job.nodes.size(); ++node) {
        Finder(job, node, found).find();
    }
}

void find_unbound(const CheckedJob& job, std::vector<Occurrence>& found) {
    std::vector<Reached> reached;
    for (std::size_t rank = 0; rank < job.processes.size(); ++rank) {
        const CheckedProcess& process = job.processes[rank];
        reached.push_back(reach_of(job.nodes[process.node].machine, process.cpus.get()));
        if (process.cpus != nullptr && process.cpus->count() < process.threads) {
            found.push_back({FindingKind::kThreads,
                             process.threads,
                             process.cpus->count(),
                             {static_cast<int>(rank)},
                             process.node});
        }
    }
    const bool is_job_bound = std::any_of(reached.begin(), reached.end(), is_bound);
    for (std::size_t node = 0; node < job.nodes.size(); ++node) {
        find_in_node(job, node, reached, is_job_bound, found);
    }
}

}  // namespace hitopo::tool
