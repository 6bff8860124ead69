// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/record/fake_job.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/network/uplinks.h"

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

FakeProcess& FakeProcess::gives(const std::string& component, Level level, RawValue value) {
    answer_of(component).values[level] = std::move(value);
    return *this;
}

FakeProcess& FakeProcess::simulates_node(RawValue value) {
    answer_of("file").replaces_node = true;
    return gives("file", kNode, std::move(value));
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
    return gives(component, kSwitch, std::move(leaf));
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

std::vector<int> groups_by_host(const FakeJob& job) {
    std::map<std::string, int> numbers;
    std::vector<int> group_of;
    for (const FakeProcess& process : job) {
        const std::string host = process.facts.host_name + process.facts.boot_id;
        group_of.push_back(numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
    }
    return group_of;
}

std::string to_string(const Address& address) {
    std::string text;
    for (const std::int32_t value : address) {
        text += (text.empty() ? "" : ".") + std::to_string(value);
    }
    return text;
}

}  // namespace hitopo
