// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxSlotListChars = 63;  // of a rankfile's list: launchers keep no more

// Children of one parent come in the order of their lowest CPU: the key of a unit is the lowest CPU of
// each set around it, the largest set first.
std::vector<CpuSet> in_tree_order(const std::vector<CpuSet>& units, const std::vector<CpuSet>& by_size) {
    std::multimap<std::vector<int>, CpuSet> groups;
    for (const CpuSet& unit : units) {
        std::vector<int> place;
        for (const CpuSet& set : by_size) {
            if (unit.is_subset_of(set)) {
                place.push_back(set.first());
            }
        }
        groups.emplace(std::move(place), unit);
    }
    std::vector<CpuSet> sorted;
    for (auto& [place, unit] : groups) {
        sorted.push_back(std::move(unit));
    }
    return sorted;
}

Error not_possible(const std::string& why) {
    return {Errc::kMalformed, "A rankfile binds ranks, but " + why + '.',
            "Use --format hostfile, which binds no rank", ""};
}

// The CPUs of each slot, and the machine there, as far as a cpuset allows it.
struct Bindings {
    std::vector<CpuSet> cpus;
    std::vector<const LogicalCpus*> machines;
    bool has_shared_cpus = false;  // two slots of a host have one CPU
    // By index of a machine and allowed CPUs.
    std::map<std::pair<int, std::string>, LogicalCpus> known = {};
};

Result<Bindings> bindings_of(const Slots& slots) {
    Bindings bindings;
    std::unordered_map<std::string, std::size_t> num_slots;
    for (const Slot& slot : slots.slots) {
        ++num_slots[slot.host];
    }
    std::unordered_map<std::string, CpuSet> taken;
    for (const Slot& slot : slots.slots) {
        const std::size_t rank = bindings.cpus.size();
        const CpuSet cpus = CpuSet::parse_or_empty(slot.cpus.value_or(""));
        if (slot.machine < 0 || cpus.is_empty()) {
            return not_possible(fmt::format("the CPUs of rank {} are unknown", rank));
        }
        // One that does not hold the process is of another machine than the simulated one.
        const CpuSet cpuset = CpuSet::parse_or_empty(slot.allowed.value_or(""));
        const CpuSet allowed = cpus.is_subset_of(cpuset) ? cpuset : CpuSet();
        const auto [known, is_new] =
            bindings.known.try_emplace({slot.machine, allowed.to_string()}, LogicalCpus());
        LogicalCpus& machine = known->second;
        if (is_new) {
            machine = logical_cpus(slots.machines[static_cast<std::size_t>(slot.machine)], allowed);
        }
        if (cpus == machine.all && num_slots[slot.host] > 1 && machine.cores.size() != 1) {
            return not_possible(fmt::format("rank {} was not bound", rank));
        }
        CpuSet both = taken[slot.host];
        both &= cpus;
        bindings.has_shared_cpus |= !both.is_empty();
        taken[slot.host] |= cpus;
        bindings.cpus.push_back(cpus);
        bindings.machines.push_back(&machine);
    }
    return bindings;
}

// The CPUs of each slot as a list of cores or threads; of the first slots only where one has none.
std::vector<std::string> lists_of(const Bindings& bindings, std::vector<CpuSet> LogicalCpus::*units) {
    std::vector<std::string> lists;
    for (std::size_t i = 0; i < bindings.cpus.size(); ++i) {
        const std::optional<std::string> list =
            numbers_of(bindings.machines[i]->*units, bindings.cpus[i]);
        if (!list || list->size() > kMaxSlotListChars) {
            break;
        }
        lists.push_back(*list);
    }
    return lists;
}

// line: "rank" number "=" host "slot=" list; ranks ascend, since 4.1 takes rank 0 for a second one
// unless it is the first. Both launchers count allowed cores, or with --use-hwthread-cpus hardware
// threads. They differ in the option for it, and in their messages about CPUs that two ranks share.
//
//     rank 0=node1 slot=0-1
Result<LaunchFile> rankfile(const Slots& slots, const topo::PerProcess& slot_of, Launcher launcher) {
    const Result<Bindings> bindings = bindings_of(slots);
    if (!bindings) {
        return bindings.error();
    }
    std::vector<std::string> lists = lists_of(*bindings, &LogicalCpus::cores);
    const bool are_threads = lists.size() < slot_of.size();
    if (are_threads) {
        lists = lists_of(*bindings, &LogicalCpus::threads);
    }
    if (lists.size() < slot_of.size()) {
        return not_possible(
            fmt::format("the CPUs of rank {} are too many ranges, or not in its machine", lists.size()));
    }
    LaunchFile file;
    for (std::size_t rank = 0; rank < slot_of.size(); ++rank) {
        file.text += fmt::format("rank {}={} slot={}\n", rank, slots.slots[slot_of[rank]].host,
                                 lists[slot_of[rank]]);
    }
    const bool is_prrte = launcher == Launcher::kPrrte;
    file.usage = fmt::format(
        "mpirun {}{}{} -np {} PROGRAM, with the job's hosts",
        is_prrte ? "--map-by rankfile:file={}" : "--rankfile {}",
        are_threads ? " --use-hwthread-cpus" : "",
        is_prrte && bindings->has_shared_cpus ? " --bind-to core:overload-allowed" : "", slot_of.size());
    return file;
}

// A line for each node, in the order of its lowest rank. It simulates the nodes, so that one host can
// show what many would.
//
//     rank 0-3,8 switch=s0 node=s0n1
LaunchFile map_file(const Slots& slots, const topo::PerProcess& slot_of) {
    std::vector<std::pair<const Slot*, std::vector<int>>> nodes;  // with their ranks
    std::unordered_map<std::string_view, std::size_t> numbers;    // of hosts, into nodes
    for (std::size_t rank = 0; rank < slot_of.size(); ++rank) {
        const Slot& slot = slots.slots[slot_of[rank]];
        const std::size_t number = numbers.emplace(slot.host, nodes.size()).first->second;
        if (number == nodes.size()) {
            nodes.push_back({&slot, {}});
        }
        nodes[number].second.push_back(static_cast<int>(rank));
    }
    LaunchFile file{"", fmt::format("mpirun --mca hitopo_file_path {{}} -np {} PROGRAM\n"
                                    "  which simulates these hosts: for the real ones use --format "
                                    "hostfile",
                                    slot_of.size())};
    for (const auto& [slot, ranks] : nodes) {
        file.text += "rank " + number_list(ranks, std::string::npos);
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            const std::string name = slot->network[level].value_or("");
            file.text += name.empty() ? "" : fmt::format(" {}={}", level_name(level), map_word(name));
        }
        file.text += " node=" + map_word(slot->host) + '\n';
    }
    return file;
}

// Each host once, in the order of its lowest rank.
LaunchFile list_file(const Slots& slots, const topo::PerProcess& slot_of) {
    LaunchFile file{"",
                    "a launcher on the hosts of {0}; the place of each host is printed there by\n"
                    "  hitopo order --hosts --node-rank {0}"};
    std::unordered_set<std::string_view> seen;
    for (const std::uint32_t slot : slot_of) {
        const std::string& host = slots.slots[slot].host;
        file.text += seen.insert(host).second ? host + '\n' : "";
    }
    return file;
}

}  // namespace

Result<LaunchFile> launch_file(const Slots& slots, const topo::PerProcess& slot_of, Format format,
                               Launcher launcher) {
    if (format == Format::kRankfile) {
        return rankfile(slots, slot_of, launcher);
    }
    if (format == Format::kMap || format == Format::kList) {
        return format == Format::kMap ? map_file(slots, slot_of) : list_file(slots, slot_of);
    }
    const std::string usage =
        format == Format::kSlurm
            ? "SLURM_HOSTFILE={{}} srun --distribution=arbitrary -n {} PROGRAM, in an allocation of "
              "these hosts"
            // mpirun takes each line for a slot, and lets ranks spin on a host with fewer CPUs.
            : "mpirun --hostfile {{}} --map-by seq -np {} PROGRAM\n"
              "  If a host has more ranks than CPUs, add --mca mpi_yield_when_idle 1.";
    LaunchFile file{"", fmt::format(usage, slot_of.size())};
    for (const std::uint32_t slot : slot_of) {  // the host of each rank, a line each
        file.text += slots.slots[slot].host + '\n';
    }
    return file;
}

LogicalCpus logical_cpus(const MachineDocument& machine, const CpuSet& allowed) {
    LogicalCpus cpus;
    cpus.all = CpuSet::parse_or_empty(machine.cpus);
    std::vector<CpuSet> by_size;
    for (const ResourceType& type : machine.types) {
        std::vector<CpuSet> sets;
        for (const std::string& text : type.instances) {
            CpuSet set = CpuSet::parse_or_empty(text);
            if (!set.is_empty()) {
                sets.push_back(std::move(set));
            }
        }
        // Sets of CPUs near a device are no part of the tree.
        if (type.type.find("://") == std::string::npos) {
            by_size.insert(by_size.end(), sets.begin(), sets.end());
        }
        if (type.type == "Core") {
            cpus.cores = sets;
        } else if (type.type == "PU") {
            cpus.threads = sets;
        }
    }
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const CpuSet& a, const CpuSet& b) { return a.count() > b.count(); });
    cpus.cores = in_tree_order(cpus.cores, by_size);
    cpus.threads = in_tree_order(cpus.threads, by_size);
    if (!allowed.is_empty()) {
        cpus.all &= allowed;
        cpus.cores = parts_within(allowed, cpus.cores);
        cpus.threads = parts_within(allowed, cpus.threads);
    }
    return cpus;
}

std::optional<std::string> numbers_of(const std::vector<CpuSet>& units, const CpuSet& cpus) {
    CpuSet covered, numbers;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].is_subset_of(cpus)) {
            covered |= units[i];
            numbers.add(static_cast<int>(i));
        }
    }
    return cpus.is_empty() || covered != cpus ? std::nullopt
                                              : std::optional<std::string>(numbers.to_string());
}

}  // namespace hitopo::tool
