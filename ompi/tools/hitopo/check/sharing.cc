// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// More processes, or threads, than CPUs. Worked out once for all nodes whose processes have the same: by
// the CPUs that they have now, and threads, so that the layouts of an address tree would not do.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "ompi/tools/hitopo/check/rules.h"
#include "ompi/tools/hitopo/check/short_sets.h"

namespace hitopo::tool {
namespace {

using Seats = std::vector<std::size_t>;  // processes of a node by their order there

// Where a process may run (empty: unknown), and its threads.
using Seat = std::pair<const CpuSet*, int>;

// Equal nodes: one machine, and processes with the same CPUs and threads in the same order.
struct Layout {
    const CheckedMachine* machine = nullptr;
    std::vector<Seat> seats;
    std::vector<std::size_t> nodes;
};

// Processes that may run on the same CPUs.
struct Equals {
    const CpuSet* cpus = nullptr;
    Seats seats;
    int num_wanted = 0;            // CPUs, one a thread: of each process one or more, at most all
    std::int64_t num_threads = 0;  // of all
};

// The layout's processes together.
struct Crowd {
    std::vector<Equals> groups;  // few CPUs first
    CpuSet all;
    int num_free_cores = 0;  // on which no process of the job may run; 0 where some are unknown
    bool has_idle_cpus = false;
};

std::vector<Layout> layouts_of(const Placement& placement) {
    std::map<std::pair<const CheckedMachine*, std::vector<Seat>>, std::size_t> known;
    std::vector<Layout> layouts;
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        const CheckedNode& node = placement.nodes[n];
        std::vector<Seat> seats;
        for (const int rank : node.ranks) {
            const CheckedProcess& process = placement.processes[static_cast<std::size_t>(rank)];
            seats.emplace_back(process.cpus.get(), process.threads);
        }
        const auto [entry, is_new] = known.try_emplace({node.machine, seats}, layouts.size());
        if (is_new) {
            layouts.push_back({node.machine, std::move(seats), {}});
        }
        layouts[entry->second].nodes.push_back(n);
    }
    return layouts;
}

bool overlap(CpuSet a, const CpuSet& b) { return !(a &= b).is_empty(); }

std::vector<Equals> groups_of(const Layout& layout) {
    std::map<const CpuSet*, std::size_t> known;
    std::vector<Equals> groups;
    for (std::size_t seat = 0; seat < layout.seats.size(); ++seat) {
        const auto [cpus, threads] = layout.seats[seat];
        if (cpus == nullptr) {
            continue;
        }
        const auto [entry, is_new] = known.try_emplace(cpus, groups.size());
        if (is_new) {
            groups.push_back({cpus, {}});
        }
        Equals& group = groups[entry->second];
        group.seats.push_back(seat);
        group.num_wanted += std::clamp(threads, 1, cpus->count());
        group.num_threads += std::max(threads, 1);
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Equals& a, const Equals& b) { return a.cpus->count() < b.cpus->count(); });
    return groups;
}

Crowd crowd_of(const Layout& layout) {
    Crowd crowd;
    crowd.groups = groups_of(layout);
    for (const Equals& group : crowd.groups) {
        crowd.all |= *group.cpus;
    }
    const bool all_known = std::none_of(layout.seats.begin(), layout.seats.end(),
                                        [](const Seat& seat) { return seat.first == nullptr; });
    if (layout.machine != nullptr && all_known) {
        const std::vector<CpuSet>& cores = layout.machine->cores;
        crowd.num_free_cores = static_cast<int>(std::count_if(
            cores.begin(), cores.end(), [&](const CpuSet& core) { return !overlap(core, crowd.all); }));
        crowd.has_idle_cpus = !layout.machine->cpus.is_subset_of(crowd.all);
    }
    return crowd;
}

// What the rules find in one layout, for all of its nodes.
class Finder {
public:
    Finder(const Layout& layout, const Placement& placement, std::vector<Occurrence>& found)
        : layout_(layout), placement_(placement), found_(found), crowd_(crowd_of(layout)) {}

    void find() {
        const bool is_overloaded = find_overload();
        if (!is_overloaded || crowd_.has_idle_cpus) {
            find_crowded_sets();
            find_crowded_cores();
        }
        if (!is_overloaded) {
            find_crowded_by_threads();
        }
    }

private:
    bool find_overload() {
        if (layout_.machine == nullptr) {
            return false;
        }
        const auto num_processes = static_cast<int>(layout_.seats.size());
        const int num_cpus = layout_.machine->cpus.count();
        if (num_processes <= num_cpus) {
            return false;
        }
        Seats seats(layout_.seats.size());
        for (std::size_t seat = 0; seat < seats.size(); ++seat) {
            seats[seat] = seat;
        }
        report({FindingKind::kOverloadedNode, num_processes, num_cpus, {}}, seats);
        return true;
    }

    // Some CPUs, and more processes that may run nowhere else: these take turns, whatever the system
    // does. Only the smallest such sets are told.
    void find_crowded_sets() {
        std::vector<CpuWish> wishes;
        for (const Equals& group : crowd_.groups) {
            wishes.push_back({group.cpus, static_cast<int>(group.seats.size())});
        }
        for (const CpuSet& cpus : short_sets(wishes)) {
            find_crowded(cpus);
        }
    }

    // The same for threads, where processes alone have enough.
    void find_crowded_by_threads() {
        std::vector<CpuWish> wishes;
        for (const Equals& group : crowd_.groups) {
            wishes.push_back({group.cpus, group.num_wanted});
        }
        for (const CpuSet& cpus : short_sets(wishes)) {
            if (holds_told(cpus)) {
                continue;
            }
            told_.push_back(cpus);
            std::int64_t num_threads = 0;
            for (const Equals* group : groups_inside(cpus)) {
                num_threads += group->num_threads;
            }
            const auto count =
                static_cast<int>(std::min<std::int64_t>(num_threads, std::numeric_limits<int>::max()));
            report({FindingKind::kSharedThreads, count, cpus.count(), {}, 0, where(cpus)},
                   seats_inside(cpus));
        }
    }

    void find_crowded(const CpuSet& cpus) {
        const Seats seats = seats_inside(cpus);
        const bool is_whole_node =
            layout_.machine != nullptr && layout_.machine->cpus.is_subset_of(cpus);
        if (is_whole_node || holds_told(cpus) || static_cast<int>(seats.size()) <= cpus.count()) {
            return;
        }
        told_.push_back(cpus);
        const auto count = static_cast<int>(seats.size());
        const FindingKind kind =
            core_around(cpus) != nullptr ? FindingKind::kSharedCore : FindingKind::kSharedCpus;
        report({kind, count, kind == FindingKind::kSharedCore ? 0 : cpus.count(), {}, 0, where(cpus)},
               seats);
    }

    // Several processes on one core that has a hardware thread for each, while other cores are free.
    void find_crowded_cores() {
        if (crowd_.num_free_cores == 0) {
            return;
        }
        for (const auto& [core, groups] : groups_by_core()) {
            find_crowded_core(*core, groups);
        }
    }

    void find_crowded_core(const CpuSet& core, const std::vector<const Equals*>& groups) {
        CpuSet together;
        int num_cpus = 0;
        Seats seats;
        for (const Equals* group : groups) {
            together |= *group->cpus;
            num_cpus += group->cpus->count() * static_cast<int>(group->seats.size());
            seats.insert(seats.end(), group->seats.begin(), group->seats.end());
        }
        if (seats.size() < 2 || holds_told(core)) {
            return;
        }
        const bool is_apart = num_cpus == together.count();
        const auto count = static_cast<int>(seats.size());
        const int of = is_apart ? crowd_.num_free_cores : 0;
        report({is_apart ? FindingKind::kHwThreads : FindingKind::kSharedCore,
                count,
                of,
                {},
                0,
                where(together)},
               seats);
    }

    std::map<const CpuSet*, std::vector<const Equals*>> groups_by_core() const {
        std::map<const CpuSet*, std::vector<const Equals*>> by_core;
        for (const Equals& group : crowd_.groups) {
            if (const CpuSet* core = core_around(*group.cpus)) {
                by_core[core].push_back(&group);
            }
        }
        return by_core;
    }

    const CpuSet* core_around(const CpuSet& cpus) const {
        if (layout_.machine == nullptr) {
            return nullptr;
        }
        const std::vector<CpuSet>& cores = layout_.machine->cores;
        const auto core = std::find_if(cores.begin(), cores.end(), [&](const CpuSet& candidate) {
            return candidate.contains(cpus.first());
        });
        return core != cores.end() && cpus.is_subset_of(*core) ? &*core : nullptr;
    }

    std::vector<const Equals*> groups_inside(const CpuSet& cpus) const {
        std::vector<const Equals*> groups;
        for (const Equals& group : crowd_.groups) {
            if (group.cpus->is_subset_of(cpus)) {
                groups.push_back(&group);
            }
        }
        return groups;
    }

    Seats seats_inside(const CpuSet& cpus) const {
        Seats seats;
        for (const Equals* group : groups_inside(cpus)) {
            seats.insert(seats.end(), group->seats.begin(), group->seats.end());
        }
        return seats;
    }

    bool holds_told(const CpuSet& cpus) const {
        return std::any_of(told_.begin(), told_.end(),
                           [&](const CpuSet& told) { return told.is_subset_of(cpus); });
    }

    static std::string where(const CpuSet& cpus) {
        return (cpus.count() == 1 ? "CPU " : "CPUs ") + cpus.to_string();
    }

    void report(Occurrence occurrence, const Seats& seats) {
        for (const std::size_t node : layout_.nodes) {
            occurrence.node = node;
            occurrence.ranks.clear();
            for (const std::size_t seat : seats) {
                occurrence.ranks.push_back(placement_.nodes[node].ranks[seat]);
            }
            found_.push_back(occurrence);
        }
    }

    const Layout& layout_;
    const Placement& placement_;
    std::vector<Occurrence>& found_;
    const Crowd crowd_;
    std::vector<CpuSet> told_;
};

}  // namespace

void find_sharing(const Placement& placement, std::vector<Occurrence>& found) {
    for (const Layout& layout : layouts_of(placement)) {
        Finder(layout, placement, found).find();
    }
}

}  // namespace hitopo::tool
