// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "test/oracle/oracle.h"

namespace hitopo::oracle {
namespace {

bool is_inside(const CpuNumbers& inner, const CpuNumbers& outer) {
    return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

CpuNumbers all_cpus(const FakeMachine& machine) {
    CpuNumbers all;
    for (const auto& [type, instances] : machine.types) {
        for (const CpuNumbers& instance : instances) {
            all.insert(instance.begin(), instance.end());
        }
    }
    return all;
}

// ---- machines ----

struct Machined {
    const FakeMachine* machine = nullptr;
    std::string component;
    int priority = 0;
};

// The machine that one process contributes: of the component that is named, else of the highest
// priority.
Machined machine_of(const FakeProcess& process) {
    Machined best;
    bool is_best_forced = false;
    for (const ComponentAnswer& answer : process.answers) {
        const auto machine = process.machines.find(answer.component);
        const bool is_forced = answer.component == process.facts.forced[kSocket];
        if (machine != process.machines.end() &&
            (best.machine == nullptr ||
             std::pair(is_forced, answer.priority) > std::pair(is_best_forced, best.priority))) {
            best = {&machine->second, answer.component, answer.priority};
            is_best_forced = is_forced;
        }
    }
    return best;
}

// The lowest rank's of the node; else, for a simulated node, that of its host.
Machined machine_of(const FakeJob& job, const Node& node) {
    for (const std::uint32_t rank : node.ranks) {
        if (const Machined mine = machine_of(job[rank]); mine.machine != nullptr) {
            return mine;
        }
    }
    const ProcessFacts& first = job[node.ranks.front()].facts;
    for (const FakeProcess& process : job) {
        if (process.facts.host_name == first.host_name && process.facts.boot_id == first.boot_id) {
            if (const Machined mine = machine_of(process); mine.machine != nullptr) {
                return mine;
            }
        }
    }
    return {};
}

// Groups and NUMA nodes of two or more whole packages that are not the machine; the outermost of them.
std::set<CpuNumbers> boards_of(const FakeMachine& machine) {
    std::set<CpuNumbers> wide;
    if (machine.types.count("Package") == 0) {
        return wide;
    }
    for (const auto& [type, instances] : machine.types) {
        for (const CpuNumbers& instance : instances) {
            const auto& packages = machine.types.at("Package");
            const auto num_packages =
                std::count_if(packages.begin(), packages.end(),
                              [&](const CpuNumbers& package) { return is_inside(package, instance); });
            if ((type == "NUMANode" || type.rfind("Group", 0) == 0) && num_packages >= 2 &&
                !is_inside(all_cpus(machine), instance)) {
                wide.insert(instance);
            }
        }
    }
    std::set<CpuNumbers> outermost;
    for (const CpuNumbers& board : wide) {
        if (std::count_if(wide.begin(), wide.end(),
                          [&](const CpuNumbers& other) { return is_inside(board, other); }) == 1) {
            outermost.insert(board);
        }
    }
    return outermost;
}

// ---- placement by CPUs ----

// Among the instances that hold all of `cpus`, the number of the one that lies in all others, or -1.
int innermost_instance(const std::set<CpuNumbers>& instances, const CpuNumbers& cpus) {
    int number = 0;
    for (const CpuNumbers& instance : instances) {
        if (is_inside(cpus, instance) &&
            std::all_of(instances.begin(), instances.end(), [&](const CpuNumbers& other) {
                return !is_inside(cpus, other) || is_inside(instance, other);
            })) {
            return number;
        }
        ++number;
    }
    return -1;
}

// The number of `child`'s instance among those in `parent`'s.
int sibling_number(const FakeMachine& machine, const Inside& inside, const char* child,
                   const char* parent) {
    if (machine.types.count(child) == 0 || inside.instances.at(child) < 0) {
        return -1;
    }
    if (machine.types.count(parent) == 0) {
        return inside.instances.at(child);
    }
    if (inside.instances.at(parent) < 0) {
        return -1;
    }
    const CpuNumbers& around = *std::next(machine.types.at(parent).begin(), inside.instances.at(parent));
    const auto& children = machine.types.at(child);
    return static_cast<int>(
        std::count_if(children.begin(), std::next(children.begin(), inside.instances.at(child)),
                      [&](const CpuNumbers& set) { return is_inside(set, around); }));
}

Inside place_in(const FakeMachine& machine, const CpuNumbers& cpus) {
    Inside inside;
    const bool is_covered = !cpus.empty() && is_inside(cpus, all_cpus(machine));
    for (const auto& [type, instances] : machine.types) {
        inside.instances[type] = is_covered ? innermost_instance(instances, cpus) : -1;
    }
    if (is_covered) {
        const std::set<CpuNumbers> boards = boards_of(machine);
        inside.number[kL2Numa] = boards.empty() ? 0 : innermost_instance(boards, cpus);
        inside.number[kSocket] =
            machine.types.count("Package") != 0 ? inside.instances.at("Package") : -1;
        inside.number[kCore] = sibling_number(machine, inside, "Core", "Package");
        inside.number[kHwThread] =
            sibling_number(machine, inside, "PU", machine.types.count("Core") != 0 ? "Core" : "Package");
    }
    return inside;
}

// ---- bindings ----

std::string type_of_rule(const std::string& rule) {
    const std::map<std::string, std::string> words = {{"core", "Core"},
                                                      {"socket", "Package"},
                                                      {"numa", "NUMANode"},
                                                      {"hwthread", "PU"},
                                                      {"hwloc://NUMANode", "NUMANode"},
                                                      {"L3Cache", "L3Cache"}};
    const auto found = words.find(rule);
    return found != words.end() ? found->second : "";
}

// What a process may run on: its own CPUs, or the simulated binding of the highest priority.
CpuNumbers cpus_of(const FakeProcess& process, const FakeMachine* machine, std::size_t index) {
    const ComponentAnswer* best = nullptr;
    for (const ComponentAnswer& answer : process.answers) {
        if (answer.binding && (best == nullptr || answer.priority > best->priority)) {
            best = &answer;
        }
    }
    if (best == nullptr) {
        return numbers_of(process.facts.cpus);
    }
    const std::string type = type_of_rule(*best->binding);
    if (type.empty() && *best->binding != "none") {
        return numbers_of(*CpuSet::parse(*best->binding));
    }
    if (machine == nullptr) {
        return {};
    }
    const auto instances = machine->types.find(type);
    return instances == machine->types.end()
               ? all_cpus(*machine)
               : *std::next(instances->second.begin(),
                            static_cast<long>(index % instances->second.size()));
}

// ---- explicit values ----

// The component whose explicit values of `levels` stand; "" where the machine does, or nobody. Where
// there is a machine, all processes have to have some.
std::string explicit_component(const FakeJob& job, const Node& node, const Machined& machined,
                               const std::vector<Level>& levels) {
    std::map<std::string, std::map<std::uint32_t, int>> priorities;  // by component and rank
    for (const std::uint32_t rank : node.ranks) {
        for (const Level level : levels) {
            for (const ComponentAnswer* offer : offers_of(job[rank], level)) {
                priorities[offer->component][rank] = offer->priority;
            }
        }
    }
    std::map<std::string, int> candidates;
    for (const auto& [component, by_rank] : priorities) {
        if (machined.machine == nullptr || by_rank.size() == node.ranks.size()) {
            for (const auto& [rank, priority] : by_rank) {
                int& best = candidates.emplace(component, priority).first->second;
                best = std::max(best, priority);
            }
        }
    }
    if (machined.machine != nullptr) {
        candidates[machined.component] = machined.priority;
    }
    auto best = candidates.find(job[0].facts.forced[levels.front()]);
    if (best == candidates.end()) {
        best = std::max_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;  // the first of equals
        });
    }
    const bool is_machine =
        best == candidates.end() || (machined.machine != nullptr && best->first == machined.component);
    return is_machine ? "" : best->first;
}

// Distinct values of one component in one node, numbered among those of equal outer numbers.
void number_explicitly(const FakeJob& job, const Node& node, const std::string& component, Level level,
                       const std::vector<Level>& outer, std::vector<Inside>& insides) {
    std::map<std::vector<int>, std::set<ValueKey>> siblings;
    std::map<std::uint32_t, std::pair<std::vector<int>, ValueKey>> mine;
    for (const std::uint32_t rank : node.ranks) {
        std::vector<int> parent;
        for (const Level around : outer) {
            parent.push_back(insides[rank].number[around]);
        }
        insides[rank].number[level] = -1;
        for (const ComponentAnswer* offer : offers_of(job[rank], level)) {
            if (offer->component == component) {
                mine[rank] = {parent, key_of(*offer->values[level])};
                siblings[parent].insert(mine[rank].second);
            }
        }
    }
    for (const auto& [rank, value] : mine) {
        const std::set<ValueKey>& all = siblings[value.first];
        insides[rank].number[level] =
            static_cast<int>(std::distance(all.begin(), all.find(value.second)));
    }
}

}  // namespace

std::vector<Inside> insides_of(const FakeJob& job, const std::vector<Node>& nodes) {
    std::vector<Inside> insides(job.size());
    for (const Node& node : nodes) {
        const Machined machined = machine_of(job, node);
        for (std::size_t index = 0; index < node.ranks.size() && machined.machine != nullptr; ++index) {
            const FakeProcess& process = job[node.ranks[index]];
            insides[node.ranks[index]] =
                place_in(*machined.machine, cpus_of(process, machined.machine, index));
        }
        const std::string board = explicit_component(job, node, machined, {kL2Numa});
        if (!board.empty()) {
            number_explicitly(job, node, board, kL2Numa, {}, insides);
        }
        const std::string inner = explicit_component(job, node, machined, {kSocket, kCore, kHwThread});
        if (!inner.empty()) {
            number_explicitly(job, node, inner, kSocket, {}, insides);
            number_explicitly(job, node, inner, kCore, {kSocket}, insides);
            number_explicitly(job, node, inner, kHwThread, {kSocket, kCore}, insides);
        }
    }
    return insides;
}

}  // namespace hitopo::oracle
