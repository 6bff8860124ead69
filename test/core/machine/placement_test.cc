// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {
namespace {

CpuSet cpus(const char* text) { return *CpuSet::parse(text); }

// "l2numa.socket.core.hwthread"
std::string levels(const Machine& machine, const char* set) {
    const Placement placement = place(machine, cpus(set));
    return std::to_string(placement[kL2Numa]) + '.' + std::to_string(placement[kSocket]) + '.' +
           std::to_string(placement[kCore]) + '.' + std::to_string(placement[kHwThread]);
}

int instance(const Machine& machine, const char* type, const char* set) {
    const auto index = static_cast<std::size_t>(machine.find(type) - machine.types().data());
    return place(machine, cpus(set)).instances[index];
}

// An instance of a type with each set of CPUs.
Machine machine_of(const std::vector<std::pair<const char*, std::vector<const char*>>>& types) {
    Machine machine;
    for (const auto& [type, sets] : types) {
        for (const char* set : sets) {
            machine.add(type, cpus(set));
        }
    }
    machine.finish();
    return machine;
}

// 2 packages of 4 cores of 2 threads; core c has the CPUs c and c + 8, package p the cores of parity p.
Machine two_sockets_of_alternating_cpus() {
    Machine machine;
    machine.add("Machine", CpuSet::range(0, 15));
    machine.add("Package", cpus("0-14:2"));
    machine.add("Package", cpus("1-15:2"));
    for (int core = 0; core < 8; ++core) {
        CpuSet threads = CpuSet::range(core, core);
        threads.add(core + 8);
        machine.add("Core", threads);
        machine.add("PU", CpuSet::range(core, core));
        machine.add("PU", CpuSet::range(core + 8, core + 8));
    }
    machine.add("L3Cache", cpus("0,2,8,10"));
    machine.add("L3Cache", cpus("4,6,12,14"));
    machine.add("L3Cache", cpus("1,3,9,11"));
    machine.add("L3Cache", cpus("5,7,13,15"));
    machine.finish();
    return machine;
}

TEST(Placement, siblings_are_numbered_by_lowest_cpu_inside_their_parent) {
    const Machine machine = two_sockets_of_alternating_cpus();
    EXPECT_EQ(levels(machine, "0"), "0.0.0.0");
    EXPECT_EQ(levels(machine, "8"), "0.0.0.1");
    EXPECT_EQ(levels(machine, "1"), "0.1.0.0");
    EXPECT_EQ(levels(machine, "6"), "0.0.3.0");
    EXPECT_EQ(levels(machine, "15"), "0.1.3.1");
}

// As hwloc has it where firmware tells of some packages only.
TEST(Placement, a_core_outside_of_every_package_keeps_its_levels) {
    const Machine machine = machine_of({{"Machine", {"0-5"}},
                                        {"Package", {"0-1"}},
                                        {"Core", {"0", "1", "2-3", "4-5"}},
                                        {"PU", {"0", "1", "2", "3", "4", "5"}}});
    EXPECT_EQ(levels(machine, "1"), "0.0.1.0");
    EXPECT_EQ(levels(machine, "3"), "0.-1.0.1");
    EXPECT_EQ(levels(machine, "4"), "0.-1.1.0");
    EXPECT_EQ(levels(machine, "4-5"), "0.-1.1.-1");
    EXPECT_EQ(levels(machine, "1-2"), "0.-1.-1.-1");
}

TEST(Placement, a_thread_outside_of_every_core_keeps_its_level) {
    const Machine machine =
        machine_of({{"Machine", {"0-3"}}, {"Core", {"0-1"}}, {"PU", {"0", "1", "2", "3"}}});
    EXPECT_EQ(levels(machine, "1"), "0.-1.0.1");
    EXPECT_EQ(levels(machine, "3"), "0.-1.-1.1");
}

TEST(Placement, a_process_of_two_threads_is_restricted_to_their_core_and_no_thread) {
    EXPECT_EQ(levels(two_sockets_of_alternating_cpus(), "2,10"), "0.0.1.-1");
}

TEST(Placement, a_process_of_two_cores_is_restricted_to_their_socket) {
    EXPECT_EQ(levels(two_sockets_of_alternating_cpus(), "0,4"), "0.0.-1.-1");
}

TEST(Placement, a_process_of_two_sockets_is_restricted_to_none) {
    EXPECT_EQ(levels(two_sockets_of_alternating_cpus(), "0-1"), "0.-1.-1.-1");
}

TEST(Placement, two_cores_of_one_cache_share_it_and_of_two_caches_do_not) {
    const Machine machine = two_sockets_of_alternating_cpus();
    EXPECT_EQ(instance(machine, "L3Cache", "0,2"), 0);
    EXPECT_EQ(instance(machine, "L3Cache", "4,6,12"), 2);
    EXPECT_EQ(instance(machine, "L3Cache", "2,4"), -1);
}

TEST(Placement, a_type_of_one_instance_over_all_cpus_holds_everyone_bound_or_not) {
    const Machine machine = two_sockets_of_alternating_cpus();
    for (const char* set : {"0", "3,11", "0-1", "0-15"}) {
        EXPECT_EQ(instance(machine, "Machine", set), 0);
    }
}

TEST(Placement, each_type_is_judged_by_itself) {
    // two NUMA nodes under one cache
    const Machine machine = machine_of({{"NUMANode", {"0-3", "4-7"}}, {"L3Cache", {"0-7"}}});
    EXPECT_EQ(instance(machine, "NUMANode", "2-5"), -1);
    EXPECT_EQ(instance(machine, "L3Cache", "2-5"), 0);
}

TEST(Placement, a_process_in_two_instances_of_one_type_is_restricted_to_the_inner_one) {
    const Machine machine = machine_of({{"Group0", {"0-3", "0-7", "6-9"}}});
    EXPECT_EQ(instance(machine, "Group0", "0"), 0);
    EXPECT_EQ(instance(machine, "Group0", "4"), 1);
    EXPECT_EQ(instance(machine, "Group0", "6"), -1) << "in two that cross";
}

TEST(Placement, cpus_that_the_machine_lacks_are_not_covered) {
    const Machine machine = two_sockets_of_alternating_cpus();
    for (const char* set : {"", "16", "0,16", "1000"}) {
        const Placement placement = place(machine, cpus(set));
        EXPECT_FALSE(placement.is_covered) << set;
        EXPECT_EQ(levels(machine, set), "-1.-1.-1.-1");
        EXPECT_EQ(placement.instances, std::vector<int>(machine.types().size(), -1));
    }
    EXPECT_TRUE(place(machine, cpus("0-15")).is_covered);
    EXPECT_FALSE(place(Machine(), cpus("0")).is_covered);
}

TEST(Placement, offline_cpus_of_the_machine_are_not_covered) {
    const Machine machine = machine_of({{"Machine", {"0-3"}}, {"PU", {"0", "1"}}});
    EXPECT_TRUE(place(machine, cpus("0-1")).is_covered);
    EXPECT_FALSE(place(machine, cpus("1-2")).is_covered);
}

TEST(Placement, l2numa_is_the_board_and_sockets_number_on_in_the_machine) {
    const Machine machine =
        machine_of({{"Package", {"0-1", "2-3", "4-5", "6-7"}}, {"NUMANode", {"0-3", "4-7"}}});
    EXPECT_EQ(levels(machine, "5"), "1.2.-1.-1");
    EXPECT_EQ(levels(machine, "4-7"), "1.-1.-1.-1");
    EXPECT_EQ(levels(machine, "3-4"), "-1.-1.-1.-1");
}

TEST(Placement, cores_of_a_machine_without_packages_number_in_the_machine) {
    const Machine machine =
        machine_of({{"Core", {"0-1", "2-3", "4-5"}}, {"PU", {"0", "1", "2", "3", "4", "5"}}});
    EXPECT_EQ(levels(machine, "5"), "0.-1.2.1");
}

TEST(Placement, threads_of_a_machine_without_cores_number_in_their_package) {
    const Machine machine = machine_of({{"Package", {"0-1", "2-3"}}, {"PU", {"0", "1", "2", "3"}}});
    EXPECT_EQ(levels(machine, "3"), "0.1.-1.1");
}

// Whatever the sets, the answer is that of the definition: the instance around it that lies in all
// others.
TEST(Placement, agrees_with_the_definition_on_random_machines) {
    std::mt19937 random(6);
    const auto random_set = [&random] {
        return CpuSet::from_words({random() & random() & random() & 0xffff, random() & random() & 0xf});
    };
    for (int round = 0; round < 300; ++round) {
        Machine machine;
        for (const char* type : {"Package", "L3Cache", "Core", "PU"}) {
            for (std::size_t n = random() % 9; n > 0; --n) {
                machine.add(type, random_set());
            }
        }
        machine.finish();
        const CpuSet set = random_set();
        const Placement placement = place(machine, set);
        ASSERT_EQ(placement.is_covered, !set.is_empty() && set.is_subset_of(machine.cpus()));
        for (std::size_t type = 0; placement.is_covered && type < machine.types().size(); ++type) {
            const std::vector<CpuSet>& instances = machine.types()[type].instances;
            int innermost = -1;
            for (std::size_t i = 0; i < instances.size(); ++i) {
                if (set.is_subset_of(instances[i]) &&
                    std::all_of(instances.begin(), instances.end(), [&](const CpuSet& other) {
                        return !set.is_subset_of(other) || instances[i].is_subset_of(other);
                    })) {
                    innermost = static_cast<int>(i);
                }
            }
            EXPECT_EQ(placement.instances[type], innermost);
        }
    }
}

}  // namespace
}  // namespace hitopo
