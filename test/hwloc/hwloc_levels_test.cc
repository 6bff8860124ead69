// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Answers about levels on the machines of test/fixtures/machines, against what plain sets of CPUs tell:
// no split, order or domain of core is asked for what is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/locality.h"
#include "test/hwloc/hwloc_answer.h"

namespace hitopo {
namespace {

struct NamedMachine {
    std::string name;
    Machine machine;
};

// In the order of their names.
const std::vector<NamedMachine>& machines() {
    static const std::vector<NamedMachine> all = [] {
        std::map<std::string, Machine> by_name;
        for (const fs::directory_entry& entry : fs::directory_iterator(kMachines)) {
            if (entry.path().extension() == ".xml" || entry.path().extension() == ".synthetic") {
                const HwlocAnswer answer = query(source_of(entry.path()), "", true);
                by_name.emplace(entry.path().stem().string(), answer.machine.value());
            }
        }
        std::vector<NamedMachine> named;
        named.reserve(by_name.size());
        for (auto& [name, machine] : by_name) {
            named.push_back({name, std::move(machine)});
        }
        return named;
    }();
    return all;
}

// ---- jobs ----

struct Bound {
    std::size_t node;
    CpuSet cpus;
};

// A node for each machine.
struct Job {
    std::vector<const Machine*> nodes;
    std::vector<Bound> processes;  // by rank

    AddressTree tree() const {
        MessageMaker all;
        std::set<std::size_t> told;
        for (std::uint32_t rank = 0; rank < processes.size(); ++rank) {
            const Bound& process = processes[rank];
            ProcessFacts facts;
            facts.host_name = "n" + std::to_string(process.node);
            facts.cpus = process.cpus;
            ComponentAnswer hwloc;
            hwloc.component = "hwloc";
            if (told.insert(process.node).second) {
                hwloc.machine = nodes[process.node]->encode();
            }
            all.append(make_record(rank, facts, {hwloc}));
        }
        return std::move(*make_tree(all.message(), processes.size(), 1));
    }
};

// Eight processes, each on an instance of a type: side by side, or as far from each other as they can.
Job bound_job(const Machine& machine, const std::string& rule, bool is_spread) {
    const MachineType* type = machine.find(rule);
    const int count = type == nullptr ? 1 : static_cast<int>(type->instances.size());
    Job job = {{&machine}, {}};
    for (int i = 0; i < 8; ++i) {
        const int instance = is_spread ? i * std::max(count, 8) / 8 : i;
        CpuSet cpus = bind_by_rule(machine, rule, instance);
        cpus &= machine.cpus();
        job.processes.push_back({0, cpus.is_empty() ? machine.cpus() : cpus});
    }
    return job;
}

// Eight processes on few instances of any types, so that many types have the same processes.
Job random_job(const Machine& machine, std::mt19937& random) {
    std::vector<CpuSet> few;
    for (int i = 0; i < 4; ++i) {
        const MachineType& type = machine.types()[random() % machine.types().size()];
        CpuSet cpus = type.instances[random() % type.instances.size()];
        cpus &= machine.cpus();  // some instances hold CPUs that are offline
        few.push_back(cpus.is_empty() ? machine.cpus() : cpus);
    }
    Job job = {{&machine}, {}};
    for (int i = 0; i < 8; ++i) {
        job.processes.push_back({0, few[random() % few.size()]});
    }
    return job;
}

// Calls check(job) for jobs on each machine.
template <class Check>
void for_each_job(Check check) {
    EXPECT_GE(machines().size(), 18U);
    for (const NamedMachine& one : machines()) {
        for (const char* rule : {"PU", "Core", "NUMANode", "none"}) {
            for (const bool is_spread : {false, true}) {
                SCOPED_TRACE(one.name + ", by " + rule + (is_spread ? ", spread" : ""));
                check(bound_job(one.machine, rule, is_spread));
            }
        }
        for (unsigned seed = 0; seed < 8; ++seed) {
            SCOPED_TRACE(one.name + ", seed " + std::to_string(seed));
            std::mt19937 random(seed);
            check(random_job(one.machine, random));
        }
    }
}

// ---- what is right ----

struct Domain {
    std::string uri;
    Ranks ranks;
};

std::string uri_of(const std::string& type) { return is_side_type(type) ? type : "hwloc://" + type; }

// Among the instances that hold all of `cpus`, the one that lies in all others; NULL where there is
// none.
const CpuSet* innermost_around(const MachineType& type, const CpuSet& cpus) {
    for (const CpuSet& instance : type.instances) {
        if (cpus.is_subset_of(instance) &&
            std::all_of(type.instances.begin(), type.instances.end(), [&](const CpuSet& other) {
                return !cpus.is_subset_of(other) || instance.is_subset_of(other);
            })) {
            return &instance;
        }
    }
    return nullptr;
}

// Those that a process is in, of the types of its machine and of the node.
std::vector<Domain> domains_around(const Job& job, std::uint32_t rank) {
    const Bound& own = job.processes[rank];
    std::vector<Domain> domains;
    Domain node = {"hitopo://Node", {}};
    for (std::uint32_t other = 0; other < job.processes.size(); ++other) {
        if (job.processes[other].node == own.node) {
            node.ranks.push_back(other);
        }
    }
    domains.push_back(node);
    for (const MachineType& type : job.nodes[own.node]->types()) {
        const CpuSet* instance = innermost_around(type, own.cpus);
        if (instance == nullptr || type.name == "L2NUMA") {
            continue;
        }
        Domain domain = {uri_of(type.name), {}};
        for (const std::uint32_t other : node.ranks) {
            if (innermost_around(type, job.processes[other].cpus) == instance) {
                domain.ranks.push_back(other);
            }
        }
        domains.push_back(domain);
    }
    return domains;
}

bool holds(const Domain& domain, const Ranks& ranks) {
    return std::includes(domain.ranks.begin(), domain.ranks.end(), ranks.begin(), ranks.end());
}

// ---- tests ----

TEST(HwlocLevels, hops_never_lead_back) {
    const std::map<Metric, std::set<std::string>> types = {
        {Metric::kCompute,
         {"hwloc://PU", "hwloc://Core", "hwloc://L1Cache", "hwloc://L2Cache", "hwloc://L3Cache",
          "hwloc://L4Cache", "hwloc://L5Cache", "hwloc://Package"}},
        {Metric::kMemory, {"hwloc://NUMANode", "hwloc://Package", "hwloc://Machine"}},
        {Metric::kNetwork, {"hitopo://Node"}}};
    for_each_job([&](const Job& job) {
        const AddressTree tree = job.tree();
        for (const auto& [metric, walk] : types) {
            for (std::uint32_t rank = 0; rank < 8; ++rank) {
                Domain reached = {"", neighbours(tree, rank, 0, metric)};
                ASSERT_EQ(reached.ranks, Ranks{rank});
                for (int hops = 1; hops < 10; ++hops) {
                    const Ranks before =
                        std::exchange(reached.ranks, neighbours(tree, rank, hops, metric));
                    ASSERT_TRUE(holds(reached, before)) << hops << " hops from " << rank;
                }
                for (const Domain& domain : domains_around(job, rank)) {
                    if (walk.count(domain.uri) > 0) {
                        ASSERT_GE(reached.ranks.size(), domain.ranks.size()) << domain.uri;
                    }
                }
            }
        }
    });
}

// By URI: which type has an instance with all CPUs of one of which, and more, or does so by way of
// others.
using Containment = std::map<std::string, std::set<std::string>>;

Containment containment_of(const std::vector<const Machine*>& machines) {
    Containment contains;
    for (const Machine* machine : machines) {
        for (const MachineType& outer : machine->types()) {
            for (const MachineType& inner : machine->types()) {
                for (const CpuSet& cpus : inner.instances) {
                    const CpuSet* around = innermost_around(outer, cpus);
                    if (around != nullptr && *around != cpus) {
                        contains[uri_of(outer.name)].insert(uri_of(inner.name));
                    }
                }
            }
        }
    }
    for (std::size_t i = 0; i < contains.size(); ++i) {
        for (auto& [outer, inner] : contains) {
            for (const std::string& through : std::set<std::string>(inner)) {
                inner.insert(contains[through].begin(), contains[through].end());
            }
        }
    }
    return contains;
}

// Gives how many types were found to stand above others.
int expect_outer_first(const AddressTree& tree, const std::vector<const Machine*>& machines) {
    Containment contains = containment_of(machines);
    const std::vector<std::string> levels = hardware_levels(tree);
    int num_ordered = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        for (std::size_t j = i + 1; j < levels.size(); ++j) {
            const bool is_below = contains[levels[j]].count(levels[i]) > 0;
            const bool is_above = contains[levels[i]].count(levels[j]) > 0;
            EXPECT_FALSE(is_below && !is_above) << levels[i] << " stands above " << levels[j];
            num_ordered += is_above ? 1 : 0;
        }
    }
    return num_ordered;
}

// Some contain each other, on two machines: those may stand either way.
TEST(HwlocLevels, no_level_of_two_machines_stands_below_one_that_it_contains) {
    for (const NamedMachine& one : machines()) {
        for (const NamedMachine& other : machines()) {
            SCOPED_TRACE(one.name + " and " + other.name);
            const Job job = {{&one.machine, &other.machine},
                             {{0, one.machine.cpus()}, {1, other.machine.cpus()}}};
            EXPECT_GE(expect_outer_first(job.tree(), job.nodes), 2);
        }
    }
}

}  // namespace
}  // namespace hitopo
