// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A job without MPI: processes that say what a test wants, of which records are made.
#ifndef TEST_CORE_RECORD_FAKE_JOB_H
#define TEST_CORE_RECORD_FAKE_JOB_H

#include <map>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "test/core/record/fake_machine.h"

namespace hitopo {

// The default priorities of the components.
int priority_of(const std::string& component);

// One process. Each call adds to what it says and can be chained:
//     on_host("n1").runs_on("0-3").gives("slurm", kSwitch, "s2").has(machine)
struct FakeProcess {
    ProcessFacts facts;
    std::vector<ComponentAnswer> answers;         // in the order of their priorities
    std::map<std::string, FakeMachine> machines;  // by the component that contributes it

    ComponentAnswer& answer_of(const std::string& component);
    FakeProcess& runs_on(const std::string& cpus);  // as of CpuSet::parse
    FakeProcess& gives(const std::string& component, Level level, RawValue value);
    // As `gives` of component file for the node, which it replaces.
    FakeProcess& simulates_node(RawValue value);
    FakeProcess& has(const FakeMachine& machine, const std::string& component = "hwloc");
    FakeProcess& is_bound(const std::string& rule, const std::string& component = "hwloc");
    // The switch for the whole node, and how many uplinks of it this process could tell.
    FakeProcess& may_lead(const std::string& component, RawValue leaf, int max_uplinks);
    // Likewise, with what it tells if it is asked.
    FakeProcess& leads(const std::string& component, RawValue leaf, const Uplinks& uplinks);
    // A side resource that crosses nodes; for_node: of all processes of the node.
    FakeProcess& shares(const std::string& component, const std::string& type, RawValue value,
                        bool for_node = false, std::int32_t order = 0);
    FakeProcess& forces(Level level, const std::string& component);
};

// A process that knows no more than its node.
FakeProcess on_host(const std::string& name, const std::string& boot_id = "boot");

using FakeJob = std::vector<FakeProcess>;

// What it tells of its switch where that component lets it lead, encoded; "": nothing.
std::string uplinks_of(const FakeProcess& process, const std::string& component);

// For each rank the number of its host.
std::vector<int> groups_by_host(const FakeJob& job);

// "0.0.1.4.0.3.2.0"
std::string to_string(const Address& address);

}  // namespace hitopo

#endif
