// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/exchange/fake_job.h"

#include <algorithm>
#include <stdexcept>

#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo {

int priority_of(const std::string& component) {
    static const std::map<std::string, int> priorities = {
        {"file", 90}, {"hwloc", 60}, {"slurm", 50}, {"openib", 40}, {"cpuid", 30}, {"hostname", 10}};
    return priorities.at(component);
}

ComponentAnswer& FakeProcess::answer_of(const std::string& component) {
    const auto is_it = [&](const ComponentAnswer& answer) { return answer.component == component; };
    auto found = std::find_if(answers.begin(), answers.end(), is_it);
    if (found == answers.end()) {
        ComponentAnswer answer;
        answer.component = component;
        answer.priority = priority_of(component);
        const auto is_lower = [&](const ComponentAnswer& a) { return a.priority < answer.priority; };
        found = answers.insert(std::find_if(answers.begin(), answers.end(), is_lower), answer);
    }
    return *found;
}

FakeProcess& FakeProcess::runs_on(const std::string& cpus) {
    facts.cpus = *CpuSet::parse(cpus);
    return *this;
}

FakeProcess& FakeProcess::says(const std::string& component, Level level, RawValue value) {
    answer_of(component).values[level] = std::move(value);
    return *this;
}

FakeProcess& FakeProcess::simulates_node(RawValue value) {
    answer_of("file").replaces_node = true;
    return says("file", kNode, std::move(value));
}

FakeProcess& FakeProcess::has(const FakeMachine& machine, const std::string& component) {
    answer_of(component).machine = machine.encoded();
    machines[component] = machine;
    return *this;
}

FakeProcess& FakeProcess::is_bound(const std::string& rule, const std::string& component) {
    answer_of(component).binding = rule;
    return *this;
}

FakeProcess& FakeProcess::may_lead(const std::string& component, RawValue leaf, int max_uplinks) {
    answer_of(component).max_uplinks = max_uplinks;
    answer_of(component).node_levels |= 1U << kSwitch;
    return says(component, kSwitch, std::move(leaf));
}

FakeProcess& FakeProcess::leads(const std::string& component, RawValue leaf, const Uplinks& uplinks) {
    answer_of(component).uplinks = uplinks;
    return may_lead(component, std::move(leaf), static_cast<int>(uplinks.switches.size()));
}

FakeProcess& FakeProcess::forces(Level level, const std::string& component) {
    facts.forced[level] = component;
    return *this;
}

FakeProcess on_host(const std::string& name, const std::string& boot_id) {
    FakeProcess process;
    process.facts.host_name = name;
    process.facts.boot_id = boot_id;
    return process;
}

namespace {

std::string uplinks_of(const FakeProcess& process, const Contribution& mine) {
    for (const ComponentAnswer& answer : process.answers) {
        if (component_id(answer.component) == mine.record.uplinks_component && answer.uplinks) {
            return encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
        }
    }
    return "";
}

// As base/job/exchange.cc: what one process sends, in the order of Piece.
std::string piece_of(const Piece& piece, const FakeProcess& process, const Contribution& mine) {
    std::string bytes;
    bytes += (piece.parts & Piece::kNames) != 0 ? mine.names : "";
    bytes += (piece.parts & Piece::kCpus) != 0 ? mine.cpus : "";
    bytes += (piece.parts & Piece::kMachine) != 0 ? mine.machine : "";
    bytes += (piece.parts & Piece::kUplinks) != 0 ? uplinks_of(process, mine) : "";
    bytes.resize(piece.num_bytes, '\0');
    return bytes;
}

}  // namespace

Gathered gather(const FakeJob& job) {
    Gathered all;
    std::vector<Contribution> contributions;
    for (const FakeProcess& process : job) {
        contributions.push_back(make_contribution(process.facts, process.answers));
        all.records.push_back(contributions.back().record);
    }
    Result<Plan> plan = make_plan(all.records.data(), all.records.size());
    if (!plan) {
        throw std::runtime_error(plan.error().value + ": " + plan.error().message);
    }
    all.plan = std::move(*plan);
    for (const Piece& piece : all.plan.pieces) {
        all.bytes.resize(piece.offset, '\0');
        all.bytes += piece_of(piece, job[piece.rank], contributions[piece.rank]);
    }
    all.directory = make_directory(all.records.data(), all.plan, all.bytes);
    return all;
}

Table table_of(const FakeJob& job) {
    Directory directory = gather(job).directory;
    return Table(std::make_shared<const Dictionary>(std::move(directory.dictionary)),
                 directory.processes);
}

std::string to_string(const Address& address) {
    std::string text;
    for (const std::int32_t value : address) {
        text += (text.empty() ? "" : ".") + std::to_string(value);
    }
    return text;
}

std::string address_of(const Table& table, std::size_t rank) { return to_string(table.address(rank)); }

std::vector<int> values_of(const Table& table, Level level) {
    std::vector<int> values;
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        values.push_back(table.address(rank)[level]);
    }
    return values;
}

std::vector<int> domains_at(const Table& table, const std::string& uri) {
    for (const ResourceType& type : resource_types(table)) {
        if (type.uri() == uri) {
            return domains_of(table, type).domain;
        }
    }
    return {};
}

std::vector<std::string> uris_of(const Table& table) {
    std::vector<std::string> uris;
    for (const ResourceType& type : resource_types(table)) {
        uris.push_back(type.uri());
    }
    return uris;
}

}  // namespace hitopo
