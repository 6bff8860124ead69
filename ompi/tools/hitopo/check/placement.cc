// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/check/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "ompi/tools/hitopo/check/own_process.h"
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

std::vector<CpuSet> instances_of(const MachineDocument& machine, const char* name) {
    std::vector<CpuSet> instances;
    for (const ResourceType& type : machine.types) {
        if (type.type == name) {
            for (const std::string& text : type.instances) {
                instances.push_back(read_cpus(text));
            }
        }
    }
    return instances;
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

Placement read(const TableDocument& table, const std::vector<int>& threads) {
    Placement placement;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        placement.known[i] = table.levels[i].known;
    }
    placement.counts = job_counts(table);
    for (const MachineDocument& machine : table.machines) {
        placement.machines.push_back(std::make_unique<const CheckedMachine>(CheckedMachine{
            read_cpus(machine.cpus), instances_of(machine, "Package"), instances_of(machine, "Core")}));
    }
    for (const NodeDocument& document : table.nodes) {
        CheckedNode node;
        node.name = document.name.value_or("");
        if (document.machine >= 0) {
            node.machine = placement.machines[static_cast<std::size_t>(document.machine)].get();
        }
        node.knows_inside = node.machine != nullptr;
        placement.nodes.push_back(std::move(node));
    }
    std::map<std::string, SharedCpus> seen;
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        const RankRow& row = table.ranks[r];
        const auto node = static_cast<std::size_t>(row.node);
        if (row.node < 0 || node >= placement.nodes.size()) {
            throw std::invalid_argument("\"node\" is out of range");
        }
        placement.processes.push_back(
            {node, cpus_of(row.cpus, seen), r < threads.size() ? threads[r] : 0, {}});
        seat(placement, static_cast<int>(r), row);
    }
    if (std::any_of(placement.nodes.begin(), placement.nodes.end(),
                    [](const CheckedNode& node) { return node.ranks.empty() || node.name.empty(); })) {
        throw std::invalid_argument("a node without ranks or name");
    }
    return placement;
}

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
    std::map<std::pair<const CheckedMachine*, std::vector<std::uint64_t>>, const CheckedMachine*> known;
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        CheckedNode& node = placement.nodes[n];
        if (node.machine == nullptr || num_allowed[n] < node.ranks.size()) {
            continue;
        }
        const CheckedMachine& whole = *node.machine;
        CpuSet left = allowed[n];
        left &= whole.cpus;
        if (left.is_empty() || left == whole.cpus) {
            continue;
        }
        const CheckedMachine*& restricted = known[{&whole, left.words()}];
        if (restricted == nullptr) {
            placement.machines.push_back(std::make_unique<const CheckedMachine>(CheckedMachine{
                left, parts_within(left, whole.sockets), parts_within(left, whole.cores), true}));
            restricted = placement.machines.back().get();
        }
        node.machine = restricted;
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
        Placement placement = read(*table, threads);
        take_limits(limits, placement);
        return placement;
    } catch (const std::exception& wrong) {
        return wrong_document(wrong.what());
    }
}

}  // namespace hitopo::tool
