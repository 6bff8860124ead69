// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each process's threads and limits, as it finds them, and the job that `hitopo check` looks at.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/domain.h"

namespace hitopo::tool {
namespace {

std::optional<int> read_positive(std::string_view text) {
    const std::optional<std::uint64_t> number = parse_number(trim(text));
    return number && *number > 0 && *number <= std::numeric_limits<int>::max()
               ? std::optional<int>(static_cast<int>(*number))
               : std::nullopt;
}

using SharedCpus = std::shared_ptr<const CpuSet>;

std::vector<CpuSet> instances_of(const MachineDocument& machine, std::string_view name) {
    const auto type = std::find_if(machine.types.begin(), machine.types.end(),
                                   [&](const ResourceType& each) { return each.type == name; });
    return type == machine.types.end() ? std::vector<CpuSet>() : to_cpu_sets(type->instances);
}

// Each text once: most bindings recur on all nodes.
SharedCpus cpus_of(const OptionalText& text, std::map<std::string, SharedCpus>& seen) {
    if (!text || text->empty()) {
        return nullptr;
    }
    SharedCpus& cpus = seen[*text];
    if (cpus == nullptr) {
        cpus = std::make_shared<const CpuSet>(to_cpus(*text));
    }
    return cpus->is_empty() ? nullptr : cpus;
}

CheckedJob read(const TableDocument& table, const std::vector<int>& threads) {
    CheckedJob job;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        job.known[i] = table.levels[i].known;
    }
    job.counts = job_counts(table);
    for (const MachineDocument& machine : table.machines) {
        job.machines.push_back(std::make_unique<const CheckedMachine>(CheckedMachine{
            to_cpus(machine.cpus), instances_of(machine, "Package"), instances_of(machine, "Core")}));
    }
    for (const NodeDocument& document : table.nodes) {
        CheckedNode node;
        node.name = document.name.value_or("");
        if (document.machine >= 0) {
            node.machine = job.machines[static_cast<std::size_t>(document.machine)].get();
        }
        node.knows_inside = node.machine != nullptr;
        job.nodes.push_back(std::move(node));
    }
    std::map<std::string, SharedCpus> seen;
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        const RankRow& row = table.ranks[r];
        const auto node = static_cast<std::size_t>(row.node);
        if (row.node < 0 || node >= job.nodes.size()) {
            throw std::invalid_argument("\"node\" is out of range");
        }
        job.processes.push_back(
            {node, cpus_of(row.cpus, seen), r < threads.size() ? threads[r] : 0, {}});
        CheckedNode& around = job.nodes[node];
        for (std::size_t level = 0; level < kNumLevels; ++level) {
            if (around.ranks.empty() || around.address[level] < 0) {
                around.address[level] = row.address[level];
            }
        }
        for (const Level level : {kSocket, kCore}) {
            around.knows_inside |= job.known[level] != Known::kNone && row.address[level] >= 0;
        }
        around.ranks.push_back(static_cast<int>(r));
    }
    if (std::any_of(job.nodes.begin(), job.nodes.end(),
                    [](const CheckedNode& node) { return node.ranks.empty() || node.name.empty(); })) {
        throw std::invalid_argument("a node without ranks or name");
    }
    return job;
}

// Takes each process's limits, and for each node the CPUs that they leave to all its processes.
void take_limits(const std::vector<std::string>& texts, CheckedJob& job) {
    const std::size_t num_known = std::min(texts.size(), job.processes.size());
    std::vector<CpuSet> allowed(job.nodes.size());
    std::vector<std::size_t> num_allowed(job.nodes.size());
    for (std::size_t rank = 0; rank < num_known; ++rank) {
        CheckedProcess& process = job.processes[rank];
        const CheckedMachine* machine = job.nodes[process.node].machine;
        CpuLimits limits = cpu_limits_in(texts[rank]);
        if (are_limits_of(limits, process.cpus != nullptr ? *process.cpus : CpuSet(),
                          machine != nullptr ? machine->cpus : CpuSet())) {
            process.quotas = std::move(limits.quotas);
            num_allowed[process.node] += limits.allowed.is_empty() ? 0 : 1;
            allowed[process.node] |= limits.allowed;
        }
    }
    std::map<std::pair<const CheckedMachine*, std::vector<std::uint64_t>>, const CheckedMachine*> known;
    for (std::size_t n = 0; n < job.nodes.size(); ++n) {
        CheckedNode& node = job.nodes[n];
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
            job.machines.push_back(std::make_unique<const CheckedMachine>(CheckedMachine{
                left, parts_within(left, whole.sockets), parts_within(left, whole.cores), true}));
            restricted = job.machines.back().get();
        }
        node.machine = restricted;
    }
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

Result<CheckedJob> read_checked_job(const TableDocument& table, const std::vector<int>& threads,
                                    const std::vector<std::string>& limits) {
    try {
        CheckedJob job = read(table, threads);
        take_limits(limits, job);
        return job;
    } catch (const std::exception& wrong) {
        return wrong_document(wrong.what());
    }
}

}  // namespace hitopo::tool
