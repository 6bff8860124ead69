// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Open MPI's rankfiles. Both launchers count allowed cores, or with --use-hwthread-cpus hardware
// threads, by hwloc's logical numbers, and both keep 63 characters of a list. They differ in how they
// are told, and in what they say of CPUs that two ranks share.
#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>

#include "ompi/tools/hitopo/order/launch_file.h"
#include "ompi/tools/hitopo/order/logical_cpus.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxListChars = 63;

Error not_possible(const std::string& why) {
    return {Errc::kMalformed,
            "A rankfile binds ranks, but " + why + '.',
            "Use --format hostfile, which binds no rank",
            "",
            0,
            0};
}

// What each slot was bound to.
struct Bindings {
    std::vector<CpuSet> cpus;
    std::vector<const LogicalCpus*> machines;  // of each slot, as far as it is allowed there
    bool has_shared_cpus = false;              // two slots of a host have one CPU
    // By index of a machine and allowed CPUs.
    std::map<std::pair<int, std::string>, LogicalCpus> known;
};

// The CPUs that the slot's cpuset has; empty: all, or those of another machine than the simulated one.
CpuSet allowed_of(const Slot& slot, const CpuSet& cpus) {
    CpuSet allowed = CpuSet::parse_or_empty(slot.allowed.value_or(""));
    return cpus.is_subset_of(allowed) ? std::move(allowed) : CpuSet();
}

const LogicalCpus& machine_of(const Slots& slots, const Slot& slot, const CpuSet& cpus,
                              Bindings& bindings) {
    const CpuSet allowed = allowed_of(slot, cpus);
    const auto index = static_cast<std::size_t>(slot.machine);
    return bindings.known
        .try_emplace({slot.machine, allowed.to_string()}, slots.machines[index], allowed)
        .first->second;
}

Error unbound(std::size_t rank) {
    return not_possible(fmt::format("rank {} of the profile was not bound", rank));
}

std::optional<Error> add_slot(const Slots& slots, const Slot& slot, bool is_alone, Bindings& bindings) {
    const std::size_t rank = bindings.cpus.size();
    const Result<CpuSet> cpus = CpuSet::parse(slot.cpus.value_or(""));
    if (slot.machine < 0 || !cpus || cpus->is_empty()) {
        return not_possible(fmt::format("the CPUs of rank {} are unknown", rank));
    }
    const LogicalCpus& machine = machine_of(slots, slot, *cpus, bindings);
    if (*cpus == machine.all() && !is_alone && machine.num_cores() != 1) {
        return unbound(rank);
    }
    bindings.cpus.push_back(*cpus);
    bindings.machines.push_back(&machine);
    return std::nullopt;
}

Result<Bindings> bindings_of(const Slots& slots) {
    Bindings bindings;
    std::unordered_map<std::string, std::size_t> num_slots;
    for (const Slot& slot : slots.slots) {
        ++num_slots[slot.host];
    }
    std::unordered_map<std::string, CpuSet> taken;
    for (const Slot& slot : slots.slots) {
        if (std::optional<Error> error = add_slot(slots, slot, num_slots[slot.host] == 1, bindings)) {
            return std::move(*error);
        }
        CpuSet& others = taken[slot.host];
        CpuSet both = others;
        both &= bindings.cpus.back();
        bindings.has_shared_cpus |= !both.is_empty();
        others |= bindings.cpus.back();
    }
    return bindings;
}

// The CPUs of each slot by logical numbers: cores where that is all of them, else threads.
struct Lists {
    std::vector<std::string> of;
    bool are_threads = false;
};

bool add_lists(const Slots& slots, const Bindings& bindings, Lists& lists) {
    lists.of.clear();
    for (std::size_t i = 0; i < slots.slots.size(); ++i) {
        const LogicalCpus& machine = *bindings.machines[i];
        const std::optional<std::string> list =
            lists.are_threads ? machine.threads(bindings.cpus[i]) : machine.cores(bindings.cpus[i]);
        if (!list || list->size() > kMaxListChars) {
            return false;
        }
        lists.of.push_back(*list);
    }
    return true;
}

Result<Lists> lists_of(const Slots& slots, const Bindings& bindings) {
    Lists lists;
    if (add_lists(slots, bindings, lists)) {
        return lists;
    }
    lists.are_threads = true;
    if (add_lists(slots, bindings, lists)) {
        return lists;
    }
    return not_possible(
        fmt::format("the CPUs of rank {} are too many ranges, or not in its machine", lists.of.size()));
}

std::string usage_of(Launcher launcher, std::size_t size, const Lists& lists, const Bindings& bindings) {
    std::string options = lists.are_threads ? " --use-hwthread-cpus" : "";
    if (launcher == Launcher::kPrrte) {
        options += bindings.has_shared_cpus ? " --bind-to core:overload-allowed" : "";
        return fmt::format("mpirun --map-by rankfile:file={{}}{} -np {} PROGRAM, with the job's hosts",
                           options, size);
    }
    return fmt::format("mpirun --rankfile {{}}{} -np {} PROGRAM, with the job's hosts", options, size);
}

}  // namespace

// line: "rank" number "=" host "slot=" list
//
//     rank 0=node1 slot=0-1
//
// 4.1 takes rank 0 for a second one unless it is the first, so ranks ascend.
Result<LaunchFile> rankfile(const Slots& slots, const topo::PerProcess& slot_of, Launcher launcher) {
    const Result<Bindings> bindings = bindings_of(slots);
    if (!bindings) {
        return bindings.error();
    }
    const Result<Lists> lists = lists_of(slots, *bindings);
    if (!lists) {
        return lists.error();
    }
    LaunchFile file;
    for (std::size_t rank = 0; rank < slot_of.size(); ++rank) {
        file.text += fmt::format("rank {}={} slot={}\n", rank, slots.slots[slot_of[rank]].host,
                                 lists->of[slot_of[rank]]);
    }
    file.usage = usage_of(launcher, slot_of.size(), *lists, *bindings);
    return file;
}

}  // namespace hitopo::tool
