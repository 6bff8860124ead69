// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests machine.cc and machine_codec.cc.
#include "ompi/mca/hitopo/core/machine/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

struct Instances {
    const char* type;
    std::vector<const char*> sets;
};

Machine machine_of(const std::vector<Instances>& types) {
    Machine machine;
    for (const Instances& type : types) {
        for (const char* set : type.sets) {
            machine.add(type.type, *CpuSet::parse(set));
        }
    }
    machine.finish();
    return machine;
}

// "Machine 0-3; Core 0-1 2-3"
std::string shape_of(const Machine& machine) {
    std::string shape;
    for (const MachineType& type : machine.types()) {
        shape += (shape.empty() ? "" : "; ") + type.name;
        for (const CpuSet& set : type.instances) {
            shape += ' ' + set.to_string();
        }
    }
    return shape;
}

TEST(Machine, equal_sets_of_one_type_are_one_instance_and_empty_sets_none) {
    const Machine machine = machine_of({{"NUMANode", {"0-3", "", "0-3", "4-7", "0-3"}}});
    EXPECT_EQ(shape_of(machine), "NUMANode 0-3 4-7");
    EXPECT_EQ(machine.cpus(), CpuSet::range(0, 7));
}

TEST(Machine, a_type_of_empty_sets_only_does_not_exist) {
    EXPECT_EQ(machine_of({{"NUMANode", {"", ""}}}).find("NUMANode"), nullptr);
}

TEST(Machine, a_numa_node_that_spans_others_has_no_cpus_of_its_own) {
    EXPECT_EQ(shape_of(machine_of({{"NUMANode", {"0-1", "2-3", "0-3", "4-5", "6-7", "4-7"}}})),
              "NUMANode 0-1 2-3 4-5 6-7");
    EXPECT_EQ(shape_of(machine_of({{"Group0", {"0-1", "0-3"}}})), "Group0 0-1 0-3") << "only NUMANodes";
}

TEST(Machine, types_stand_in_the_order_of_the_catalogue_and_instances_by_lowest_cpu) {
    const Machine machine = machine_of({{"PU", {"3", "1", "2", "0"}},
                                        {"Core", {"1,3", "0,2"}},
                                        {"Package", {"0-3"}},
                                        {"Machine", {"0-3"}}});
    EXPECT_EQ(shape_of(machine), "Machine 0-3; Package 0-3; Core 0,2 1,3; PU 0 1 2 3");
}

TEST(Machine, an_instruction_cache_counts_only_where_it_differs) {
    EXPECT_EQ(shape_of(machine_of({{"L1iCache", {"0-1", "2-3"}}, {"L1Cache", {"0-1", "2-3"}}})),
              "L1Cache 0-1 2-3");
    EXPECT_EQ(shape_of(machine_of({{"L1iCache", {"0-3"}}, {"L1Cache", {"0-1", "2-3"}}})),
              "L1Cache 0-1 2-3; L1iCache 0-3");
    EXPECT_EQ(shape_of(machine_of({{"L2iCache", {"0-3"}}, {"L1Cache", {"0-3"}}})),
              "L2iCache 0-3; L1Cache 0-3");
}

TEST(Machine, depths_of_groups_are_numbered) {
    EXPECT_EQ(shape_of(machine_of({{"Group0", {"0-1", "2-3"}}})), "Group0 0-1 2-3");
    EXPECT_EQ(shape_of(machine_of({{"Group", {"0-1", "2-3"}}})), "Group0 0-1 2-3");
    EXPECT_EQ(shape_of(machine_of({{"Group7", {"0"}}, {"Group2", {"0-1"}}, {"Group10", {"1"}}})),
              "Group0 0-1; Group1 0; Group2 1");
}

TEST(Machine, l2numa_is_the_outermost_such_object) {
    const Machine machine = machine_of({{"Group0", {"0-3", "4-7"}},
                                        {"Group1", {"0-1", "2-3", "4-5", "6-7"}},
                                        {"Package", {"0", "1", "2", "3", "4", "5", "6", "7"}}});
    ASSERT_NE(machine.find("L2NUMA"), nullptr);
    EXPECT_EQ(machine.find("L2NUMA")->instances, machine.find("Group0")->instances);
}

TEST(Machine, no_l2numa_from_one_package_half_packages_or_the_whole_machine) {
    const std::vector<std::vector<Instances>> machines = {
        {{"Package", {"0-1", "2-3"}}, {"NUMANode", {"0-1", "2-3"}}},  // one whole package each
        {{"Package", {"0-3", "4-7"}}, {"NUMANode", {"0-1", "2-3", "4-5", "6-7"}}},  // inside a socket
        {{"Package", {"0-1", "2-3"}}, {"NUMANode", {"0-3"}}},                       // the machine
        {{"Package", {"0-1", "2-3", "4-5"}}, {"Group0", {"1-4"}}},                  // one and two halves
        {{"NUMANode", {"0-1", "2-3"}}},                                             // no packages
    };
    for (const std::vector<Instances>& types : machines) {
        EXPECT_EQ(machine_of(types).find("L2NUMA"), nullptr) << shape_of(machine_of(types));
    }
}

TEST(Machine, a_numa_node_of_all_online_cpus_is_no_l2numa) {
    const Machine machine = machine_of({{"Machine", {"0-7"}},  // 4-7 are offline
                                        {"NUMANode", {"0-3"}},
                                        {"Package", {"0-1", "2-3"}},
                                        {"PU", {"0", "1", "2", "3"}}});
    EXPECT_EQ(machine.find("L2NUMA"), nullptr);
    EXPECT_EQ(machine.cpus(), CpuSet::range(0, 3));
}

TEST(Machine, instance_of_is_the_innermost_that_holds_all_cpus) {
    const Machine machine = machine_of({{"L3Cache", {"0-7", "0-3", "8-11", "10-13"}}});
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(8, 9)), 2);
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(7, 8)), -1);
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(3, 4)), 1) << "0-7, after 0-3";
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(2, 3)), 0);
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(10, 11)), -1) << "in two that cross";
    EXPECT_EQ(machine.instance_of(0, CpuSet::range(14, 14)), -1);
}

TEST(Machine, further_types_than_the_limit_are_ignored) {
    Machine machine;
    for (int i = 0; i < 2 * Machine::kMaxTypes; ++i) {
        machine.add("Type" + std::to_string(i), CpuSet::range(i, i));
    }
    machine.finish();
    EXPECT_LE(machine.types().size(), static_cast<std::size_t>(Machine::kMaxTypes));
    EXPECT_TRUE(Machine::decode(machine.encode()).is_ok());
}

// Any instances of any types, nested or crossing.
Machine random_machine(std::mt19937& random) {
    const char* names[] = {"Machine", "Group0",   "Group1", "Package", "NUMANode", "L3Cache",
                           "L1Cache", "L1iCache", "Core",   "PU",      "Odd"};
    const auto below = [&random](int limit) {
        return static_cast<int>(random() % static_cast<unsigned>(limit));
    };
    Machine machine;
    for (const char* name : names) {
        const int stride = 1 + below(5);
        for (int i = below(12); i > 0; --i) {
            CpuSet set;
            const int first = below(4) == 0 ? below(CpuSet::kMaxCpus) : 8 * i;
            for (int n = below(9); n > 0; --n) {
                set.add(first + n * stride);
            }
            machine.add(name, set);
        }
    }
    machine.finish();
    return machine;
}

TEST(Machine, comes_back_equal_from_its_bytes) {
    std::mt19937 random(4);
    for (int round = 0; round < 500; ++round) {
        const Machine machine = random_machine(random);
        const Result<Machine> again = Machine::decode(machine.encode());
        ASSERT_TRUE(again.is_ok());
        EXPECT_EQ(shape_of(*again), shape_of(machine));
        EXPECT_EQ(again->cpus(), machine.cpus());
        EXPECT_EQ(again->encode(), machine.encode());
    }
}

TEST(Machine, equal_machines_have_equal_bytes_however_built) {
    const std::vector<Instances> types = {{"Package", {"0-3", "4-7"}}, {"PU", {"0", "1", "5"}}};
    const std::vector<Instances> permuted = {{"PU", {"5", "1", "0", "5"}}, {"Package", {"4-7", "0-3"}}};
    EXPECT_EQ(machine_of(types).encode(), machine_of(permuted).encode());
}

TEST(Machine, of_1024_cpus_takes_few_bytes) {
    Machine machine;
    for (int core = 0; core < 512; ++core) {
        for (const int cpu : {core, core + 512}) {
            machine.add("PU", CpuSet::range(cpu, cpu));
        }
        CpuSet threads = CpuSet::range(core, core);
        threads.add(core + 512);
        for (const char* type : {"Core", "L1Cache", "L2Cache"}) {
            machine.add(type, threads);
        }
    }
    machine.add("Machine", CpuSet::range(0, 1023));
    machine.finish();
    EXPECT_LT(machine.encode().size(), 200U);
}

TEST(Machine, every_shortened_encoding_is_refused) {
    std::mt19937 random(5);
    const std::string bytes = random_machine(random).encode();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const Result<Machine> machine = Machine::decode(std::string_view(bytes).substr(0, length));
        ASSERT_FALSE(machine.is_ok()) << length;
        EXPECT_EQ(machine.error().code, Errc::kMalformed);
        EXPECT_GT(machine.error().column, 0);
        EXPECT_NE(machine.error().message.find("install"), std::string::npos);
    }
    EXPECT_FALSE(Machine::decode(bytes + '\0').is_ok());
}

struct PlainRun {
    int first, count, stride;
};

// One type of one series, right or wrong.
std::string series(const char* name, std::uint32_t num_instances, int distance,
                   const std::vector<PlainRun>& runs) {
    ByteWriter writer;
    writer.put(std::string_view(name));
    writer.put_u32(1);
    writer.put_u32(num_instances);
    writer.put_u16(static_cast<std::uint16_t>(distance));
    writer.put_u16(static_cast<std::uint16_t>(runs.size()));
    for (const PlainRun& run : runs) {
        writer.put_u16(static_cast<std::uint16_t>(run.first));
        writer.put_u16(static_cast<std::uint16_t>(run.count));
        writer.put_u16(static_cast<std::uint16_t>(run.stride));
    }
    return writer.take();
}

TEST(Machine, decode_refuses_what_is_no_machine) {
    const std::string good = series("PU", 8, 1, {{0, 1, 1}});
    ASSERT_TRUE(Machine::decode('\1' + good).is_ok());
    const std::vector<std::string> bad = {
        "",
        '\1' + series("", 8, 1, {{0, 1, 1}}),                                      // no name
        '\1' + series("PU", 0, 1, {{0, 1, 1}}),                                    // no instance
        '\1' + series("PU", 8, 0, {{0, 1, 1}}),                                    // equal instances
        '\1' + series("PU", 1, 0, {}),                                             // an empty set
        '\1' + series("PU", 1, 0, {{0, 0, 1}}),                                    // an empty run
        '\1' + series("PU", 1, 0, {{65535, 2, 1}}),                                // no CPU number
        '\1' + series("PU", 65536, 2, {{0, 1, 1}}),                                // no CPU number
        '\1' + series("PU", 0xffffffff, 65535, {{0, 1, 1}}),                       // no CPU number
        '\1' + series("PU", 65535, 1, {{0, 1, 1}}),                                // too much memory
        '\1' + series("PU", 1000, 1, std::vector<PlainRun>(1000, {0, 60000, 1})),  // too much work
        '\2' + good + good,                                                        // one type twice
        '\2' + good + series("Core", 1, 1, {{0, 1, 1}}),                           // types out of order
        '\2' + good,                                                               // a type is missing
        '\1' + good + good,                                                        // bytes left over
    };
    for (const std::string& bytes : bad) {
        EXPECT_FALSE(Machine::decode(bytes).is_ok()) << &bytes - bad.data();
    }
}

TEST(Machine, decode_refuses_more_bytes_than_the_limit) {
    const Result<Machine> machine = Machine::decode(std::string(Machine::kMaxBytes + 1, '\0'));
    ASSERT_FALSE(machine.is_ok());
    EXPECT_EQ(machine.error().code, Errc::kTooLarge);
}

}  // namespace
}  // namespace hitopo
