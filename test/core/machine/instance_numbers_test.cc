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
    const InstanceNumbers instance_numbers = place(machine, cpus(set));
    return std::to_string(instance_numbers[kL2Numa]) + '.' + std::to_string(instance_numbers[kSocket]) +
           '.' + std::to_string(instance_numbers[kCore]) + '.' +
           std::to_string(instance_numbers[kHwThread]);
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

// As hwloc has it where firmware tells of some packages only.
TEST(InstanceNumbers, a_core_outside_of_every_package_keeps_its_levels) {
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

TEST(InstanceNumbers, a_thread_outside_of_every_core_keeps_its_level) {
    const Machine machine =
        machine_of({{"Machine", {"0-3"}}, {"Core", {"0-1"}}, {"PU", {"0", "1", "2", "3"}}});
    EXPECT_EQ(levels(machine, "1"), "0.-1.0.1");
    EXPECT_EQ(levels(machine, "3"), "0.-1.-1.1");
    EXPECT_EQ(levels(machine_of({{"Package", {"0-1", "2-3"}}, {"PU", {"0", "1", "2", "3"}}}), "3"),
              "0.1.-1.1");
}

// Whatever the sets, the answer is that of the definition: the instance around it that lies in all
// others.
TEST(InstanceNumbers, agrees_with_the_definition_on_random_machines) {
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
        const InstanceNumbers instance_numbers = place(machine, set);
        ASSERT_EQ(instance_numbers.is_covered, !set.is_empty() && set.is_subset_of(machine.cpus()));
        for (std::size_t type = 0; instance_numbers.is_covered && type < machine.types().size();
             ++type) {
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
            EXPECT_EQ(instance_numbers.instances[type], innermost);
        }
    }
}

}  // namespace
}  // namespace hitopo
