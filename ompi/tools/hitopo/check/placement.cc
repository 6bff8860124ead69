// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/check/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "ompi/tools/hitopo/check/cpu_limits.h"
#include "ompi/tools/hitopo/json_member.h"
#include "ompi/tools/hitopo/place.h"

namespace hitopo::tool {
namespace {

using SharedCpus = std::shared_ptr<const CpuSet>;

CpuSet read_cpus(const std::string& text) {
    const Result<CpuSet> cpus = CpuSet::parse(text);
    if (!cpus) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a list of CPUs", text));
    }
    return *cpus;
}

std::vector<CpuSet> instances_of(const Json& machine, const char* name) {
    for (const Json& type : array_at(machine, "types")) {
        if (text_at(type, "type") == name) {
            std::vector<CpuSet> instances;
            for (const std::string& text : texts_at(type, "instances")) {
                instances.push_back(read_cpus(text));
            }
            return instances;
        }
    }
    return {};
}

std::unique_ptr<const CheckedMachine> read_machine(const Json& machine) {
    return std::make_unique<const CheckedMachine>(CheckedMachine{read_cpus(text_at(machine, "cpus")),
                                                                 instances_of(machine, "Package"),
                                                                 instances_of(machine, "Core")});
}

// An index into something of `size` entries.
std::size_t index_at(const Json& object, const char* name, std::size_t size) {
    const auto index = static_cast<std::size_t>(int_at(object, name, 0));
    if (index >= size) {
        throw std::invalid_argument(fmt::format("\"{}\" is out of range", name));
    }
    return index;
}

CheckedNode read_node(const Json& json, const Placement& placement) {
    CheckedNode node;
    node.name = text_at(json, "name");
    if (json.contains("machine") && !json["machine"].is_null()) {
        node.machine = placement.machines[index_at(json, "machine", placement.machines.size())].get();
    }
    node.knows_inside = node.machine != nullptr;
    return node;
}

// Each text once: most bindings recur on all nodes.
SharedCpus cpus_of(const OptionalText& text, std::map<std::string, SharedCpus>& seen) {
    if (!text || text->empty()) {
        return nullptr;
    }
    SharedCpus& cpus = seen[*text];
    if (cpus == nullptr) {
        cpus = std::make_shared<const CpuSet>(read_cpus(*text));
    }
    return cpus->is_empty() ? nullptr : cpus;
}

void seat(Placement& placement, int rank, const RankRow& row) {
    CheckedNode& node = placement.nodes[placement.processes.back().node];
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        if (node.ranks.empty() || node.address[i] < 0) {
            node.address[i] = row.address[i];
        }
    }
    for (const Level level : {kSocket, kCore}) {
        node.knows_inside |=
            placement.known[level] != Known::kNone && row.address[static_cast<std::size_t>(level)] >= 0;
    }
    node.ranks.push_back(rank);
}

Placement read(const Json& json, const TableDocument& table, const std::vector<int>& threads) {
    Placement placement;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        placement.known[i] = table.levels[i].known;
    }
    placement.counts = job_counts(table);
    for (const Json& machine : array_at(json, "machines")) {
        placement.machines.push_back(read_machine(machine));
    }
    for (const Json& node : array_at(json, "nodes")) {
        placement.nodes.push_back(read_node(node, placement));
    }
    std::map<std::string, SharedCpus> seen;
    const Json& ranks = array_at(json, "ranks");
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        placement.processes.push_back({index_at(ranks[r], "node", placement.nodes.size()),
                                       cpus_of(table.ranks[r].cpus, seen),
                                       r < threads.size() ? threads[r] : 0,
                                       {}});
        seat(placement, static_cast<int>(r), table.ranks[r]);
    }
    if (std::any_of(placement.nodes.begin(), placement.nodes.end(),
                    [](const CheckedNode& node) { return node.ranks.empty(); })) {
        throw std::invalid_argument("a node without ranks");
    }
    return placement;
}

// Machines of which a cpuset leaves a part, each once.
class RestrictedMachines {
public:
    explicit RestrictedMachines(Placement& placement) : placement_(placement) {}

    const CheckedMachine* of(const CheckedMachine* machine, CpuSet allowed) {
        allowed &= machine->cpus;
        if (allowed.is_empty() || allowed == machine->cpus) {
            return machine;
        }
        const CheckedMachine*& restricted = known_[{machine, allowed.words()}];
        if (restricted == nullptr) {
            placement_.machines.push_back(std::make_unique<const CheckedMachine>(
                CheckedMachine{allowed, parts_within(allowed, machine->sockets),
                               parts_within(allowed, machine->cores), true}));
            restricted = placement_.machines.back().get();
        }
        return restricted;
    }

private:
    Placement& placement_;
    std::map<std::pair<const CheckedMachine*, std::vector<std::uint64_t>>, const CheckedMachine*> known_;
};

// Each process's limits, and of each node the CPUs that they leave to all of its processes together.
void take_limits(const std::vector<std::string>& texts, Placement& placement) {
    const std::size_t num_told = std::min(texts.size(), placement.processes.size());
    std::vector<CpuSet> allowed(placement.nodes.size());
    std::vector<std::size_t> num_allowed(placement.nodes.size());
    for (std::size_t rank = 0; rank < num_told; ++rank) {
        CheckedProcess& process = placement.processes[rank];
        const CheckedMachine* machine = placement.nodes[process.node].machine;
        CpuLimits limits = cpu_limits_in(texts[rank]);
        if (are_limits_of(limits, process.cpus != nullptr ? *process.cpus : CpuSet(),
                          machine != nullptr ? machine->cpus : CpuSet())) {
            process.quotas = std::move(limits.quotas);
            num_allowed[process.node] += limits.allowed.is_empty() ? 0 : 1;
            allowed[process.node] |= limits.allowed;
        }
    }
    RestrictedMachines machines(placement);
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        CheckedNode& node = placement.nodes[n];
        if (node.machine != nullptr && num_allowed[n] == node.ranks.size()) {
            node.machine = machines.of(node.machine, std::move(allowed[n]));
        }
    }
}

}  // namespace

Result<Placement> read_placement(const Json& json, const std::vector<int>& threads,
                                 const std::vector<std::string>& limits) {
    const Result<TableDocument> table = parse_table(json);
    if (!table) {
        return table.error();
    }
    try {
        Placement placement = read(json, *table, threads);
        take_limits(limits, placement);
        return placement;
    } catch (const std::exception& wrong) {
        return wrong_document(wrong.what());
    }
}

}  // namespace hitopo::tool
