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

FakeProcess& FakeProcess::shares(const std::string& component, const std::string& type, RawValue value,
                                 bool for_node, std::int32_t order) {
    answer_of(component).side.push_back({type, order, std::move(value), for_node});
    return *this;
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

std::string uplinks_of(const FakeProcess& process, const std::string& component) {
    for (const ComponentAnswer& answer : process.answers) {
        if (answer.component == component && answer.uplinks) {
            return encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
        }
    }
    return "";
}

namespace {

std::string component_of(const Contribution& leader) {
    Names names;
    return names.component_name(read_node_card(leader.node_card, names).uplinks_component);
}

template <class T>
T checked(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().value + ": " + result.error().message);
    }
    return std::move(*result);
}

}  // namespace

std::vector<int> groups_by_host(const FakeJob& job) {
    std::map<std::string, int> numbers;
    std::vector<int> group_of;
    for (const FakeProcess& process : job) {
        const std::string host = process.facts.host_name + process.facts.boot_id;
        group_of.push_back(numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
    }
    return group_of;
}

std::string all_of(const FakeJob& job, const std::vector<int>& group_of) {
    std::map<int, std::vector<std::pair<std::uint32_t, Contribution>>> groups;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        groups[group_of[rank]].emplace_back(rank, make_contribution(job[rank].facts, job[rank].answers));
    }
    Summary all;
    for (const auto& [number, members] : groups) {
        const std::string bytes = Summary::of_group(members).encode(1);
        all.append(checked(Summary::decode(bytes, job.size())));
    }
    return all.in_order().encode(1);
}

Gathered gather(const FakeJob& job, std::string bytes) {
    Gathered all;
    all.bytes = std::move(bytes);
    all.summary = checked(Summary::decode(all.bytes, job.size()));
    all.plan = checked(make_plan(all.summary, job.size()));
    for (const std::uint32_t leader : all.plan.leaders) {
        const std::string component =
            component_of(make_contribution(job[leader].facts, job[leader].answers));
        all.led.push_back(uplinks_of(job[leader], component));
    }
    all.directory = make_directory(all.summary, all.plan, all.led);
    return all;
}

Gathered gather(const FakeJob& job) { return gather(job, all_of(job, groups_by_host(job))); }

Table through_block(const Table& table) {
    const auto bytes = std::make_shared<const std::string>(table.to_block());
    std::optional<Table> read = Table::from_block(bytes, *bytes, table.size());
    if (!read) {
        throw std::runtime_error("a table's own block is refused");
    }
    return std::move(*read);
}

Table table_of(const FakeJob& job) {
    Directory directory = gather(job).directory;
    return through_block(Table(std::move(directory.dictionary), directory.occupancy));
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
