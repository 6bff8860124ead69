// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A job without MPI: processes that say what a test wants, and the exchange between them.
#ifndef TEST_CORE_EXCHANGE_FAKE_JOB_H
#define TEST_CORE_EXCHANGE_FAKE_JOB_H

#include <map>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/directory.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"
#include "ompi/mca/hitopo/core/table/table.h"
#include "test/core/exchange/fake_machine.h"

namespace hitopo {

// The default priorities of the components.
int priority_of(const std::string& component);

// One process. Each call adds to what it says and can be chained:
//     on_host("n1").runs_on("0-3").says("slurm", kSwitch, "s2").has(machine)
struct FakeProcess {
    ProcessFacts facts;
    std::vector<ComponentAnswer> answers;         // in the order of their priorities
    std::map<std::string, FakeMachine> machines;  // by the component that contributes it

    ComponentAnswer& answer_of(const std::string& component);
    FakeProcess& runs_on(const std::string& cpus);  // as of CpuSet::parse
    FakeProcess& says(const std::string& component, Level level, RawValue value);
    // As `says` of component file for the node, which it replaces.
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

// What every process of a job has after the exchange.
struct Gathered {
    std::string bytes;  // the sum of all summaries
    Summary summary;
    Plan plan;
    std::vector<std::string> led;  // what each of the plan's leaders told
    Directory directory;
};
// By groups as all_of gives them, of processes on one host.
Gathered gather(const FakeJob& job);
// The same from the sum.
Gathered gather(const FakeJob& job, std::string bytes);

// The sum of the groups' summaries, which come together in this order. group_of: of each rank.
std::string all_of(const FakeJob& job, const std::vector<int>& group_of);
std::vector<int> groups_by_host(const FakeJob& job);

// As a process has it that did not make it itself: through a block.
Table through_block(const Table& table);
Table table_of(const FakeJob& job);

// "0.0.1.4.0.3.2.0"
std::string to_string(const Address& address);
std::string address_of(const Table& table, std::size_t rank);
// One level's values, by rank.
std::vector<int> values_of(const Table& table, Level level);
// The domains of a type by its URI, by rank; empty if the table has no such type.
std::vector<int> domains_at(const Table& table, const std::string& uri);
std::vector<std::string> uris_of(const Table& table);

}  // namespace hitopo

#endif
