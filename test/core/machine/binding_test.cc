// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/binding.h"

#include <gtest/gtest.h>

#include <string>

namespace hitopo {
namespace {

CpuSet cpus(const char* text) { return *CpuSet::parse(text); }

// 2 packages of 2 cores of 2 threads, numbered i and i + 4.
Machine small_machine() {
    Machine machine;
    machine.add("Machine", CpuSet::range(0, 9));  // 8 and 9 are offline
    for (const char* set : {"0-1,4-5", "2-3,6-7"}) {
        machine.add("Package", cpus(set));
        machine.add("NUMANode", cpus(set));
    }
    for (const char* set : {"0,4", "1,5", "2,6", "3,7"}) {
        machine.add("Core", cpus(set));
    }
    for (const char* set : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        machine.add("PU", cpus(set));
    }
    machine.add("Group0", CpuSet::range(0, 7));
    machine.add("Group1", cpus("2,6"));
    machine.finish();
    return machine;
}

std::string bound(const char* rule, int index) {
    return bind_by_rule(small_machine(), rule, index).to_string();
}

TEST(Binding, process_i_gets_instance_i_and_the_first_again_after_the_last) {
    EXPECT_EQ(bound("core", 0), "0,4");
    EXPECT_EQ(bound("core", 3), "3,7");
    EXPECT_EQ(bound("core", 4), "0,4");
    EXPECT_EQ(bound("socket", 1), "2-3,6-7");
    EXPECT_EQ(bound("numa", 2), "0-1,4-5");
    EXPECT_EQ(bound("hwthread", 5), "5");
    EXPECT_EQ(bound("machine", 9), "0-9");
}

TEST(Binding, rules_are_type_names_in_any_case_with_or_without_hwloc) {
    for (const char* rule : {"Core", "CORE", "hwloc://Core", "HWLOC://core", " core "}) {
        EXPECT_TRUE(is_binding_rule(rule)) << rule;
        EXPECT_EQ(bound(rule, 1), "1,5") << rule;
    }
    EXPECT_EQ(bound("NUMANode", 1), "2-3,6-7");
    EXPECT_EQ(bound("group", 1), "0-7") << "plain Group is the outermost";
    EXPECT_EQ(bound("GROUP1", 5), "2,6");
}

TEST(Binding, none_and_a_type_that_the_machine_lacks_give_all_cpus) {
    EXPECT_EQ(bound("none", 1), "0-7");
    EXPECT_EQ(bound("Die", 1), "0-7");
    EXPECT_EQ(bind_by_rule(Machine(), "core", 0), CpuSet());
}

TEST(Binding, a_negative_index_is_the_first) { EXPECT_EQ(bound("core", -1), "0,4"); }

TEST(Binding, what_is_no_rule_is_left_to_the_cpu_set_parser) {
    for (const char* rule :
         {"none", "NONE", "socket", "numa", "hwthread", "L3Cache", "group2", "pu", "l2numa"}) {
        EXPECT_TRUE(is_binding_rule(rule)) << rule;
    }
    for (const char* text :
         {"", "0-3", "7", "0xff", "coree", "hwloc://", "hwloc://numa", "core 1", "cores"}) {
        EXPECT_FALSE(is_binding_rule(text)) << text;
    }
}

TEST(Binding, the_short_form_of_a_rule_is_the_same_rule) {
    EXPECT_EQ(short_rule(" hwloc://NUMANode "), "NUMANode");
    EXPECT_EQ(short_rule("socket"), "Package");
    EXPECT_EQ(short_rule("NONE"), "none");
    EXPECT_EQ(short_rule("0-3"), "");
    EXPECT_EQ(short_rule("Group" + std::string(20, '0')), "") << "no rule is cut off";
    for (const char* rule : {"numa", "hwloc://Core", "GROUP1", "machine", "none"}) {
        EXPECT_LE(short_rule(rule).size(), kMaxRuleLength);
        EXPECT_EQ(bound(std::string(short_rule(rule)).c_str(), 1), bound(rule, 1)) << rule;
    }
}

}  // namespace
}  // namespace hitopo
