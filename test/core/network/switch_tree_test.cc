// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/switch_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace hitopo {
namespace {

SwitchRecord leaf(const char* name, const char* nodes) { return {name, nodes, "", false, "t.conf", 1}; }
SwitchRecord inner(const char* name, const char* below) { return {name, "", below, false, "t.conf", 2}; }
SwitchRecord block(const char* name, const char* nodes) { return {name, nodes, "", true, "t.conf", 3}; }

// "island/path:switch", "-" for what is unknown.
std::string place(const SwitchTree& tree, const char* host) {
    const auto found = tree.find(host);
    if (!found) {
        return "nowhere";
    }
    const auto text = [](const std::optional<RawValue>& value) {
        return value ? value->to_string() : "-";
    };
    return text(found->levels[kIsland]) + ':' + text(found->levels[kSwitch]);
}

// By host.
void expect_places(const SwitchTree& tree, const std::map<std::string, std::string>& places) {
    for (const auto& [host, expected] : places) {
        EXPECT_EQ(place(tree, host.c_str()), expected) << host;
    }
}

std::string error_of(std::vector<SwitchRecord> records) {
    const auto skipped = SwitchTree::make(std::move(records)).skipped().as_one();
    return skipped ? skipped->position() + ' ' + skipped->value : "none";
}

TEST(SwitchTree, find_in_three_levels) {
    const auto tree = SwitchTree::make({inner("root", "island[1-2]"), leaf("leaf1", "n[1-2]"),
                                        leaf("leaf2", "n3"), leaf("leaf3", "n[4-5]"),
                                        inner("island1", "leaf[1-2]"), inner("island2", "leaf3")});
    expect_places(tree, {{"n1", "root/island1:leaf1"},
                         {"n3", "root/island1:leaf2"},
                         {"n5", "root/island2:leaf3"},
                         {"n6", "nowhere"},
                         {"n1.example.org", "root/island1:leaf1"}});
    EXPECT_EQ(tree.find("n1")->source, "t.conf:1");
}

TEST(SwitchTree, find_where_depths_differ) {
    const auto tree = SwitchTree::make({leaf("leafA", "n1"), leaf("leafC", "n5"), leaf("leafD", "n7"),
                                        inner("low", "leafA"), inner("mid1", "low"),
                                        inner("mid2", "leafC"), inner("core", "mid1,mid2,leafD")});
    expect_places(tree,
                  {{"n1", "core/mid1/low:leafA"}, {"n5", "core/mid2:leafC"}, {"n7", "core:leafD"}});
}

TEST(SwitchTree, find_on_several_leaves) {
    const auto tree = SwitchTree::make({leaf("leaf1", "n[1-3]"), leaf("leaf2", "n[3-4]"),
                                        inner("core1", "leaf1"), inner("core2", "leaf2")});
    expect_places(tree, {{"n1", "core1:leaf1"}, {"n3", "core[1-2]:leaf[1-2]"}});
}

TEST(SwitchTree, find_in_a_block_unless_on_a_switch) {
    const auto tree = SwitchTree::make({block("b1", "n[1-2]"), block("b2", "n[3-4]"), leaf("b1", "n2")});
    expect_places(tree, {{"n1", "-:b1"}, {"n4", "-:b2"}});
    EXPECT_EQ(tree.find("n1")->source, "t.conf:3");
    EXPECT_EQ(tree.find("n2")->source, "t.conf:1");
}

// As slurmctld does, since 25.05.
TEST(SwitchTree, make_ignores_what_is_below_nodes) {
    const SwitchRecord both = {"lf1", "c[1-2]", "lf2, lf3", false, "t.yaml", 3};
    const std::vector<SwitchRecord> records = {both, leaf("lf2", "c[3-4]")};
    expect_places(SwitchTree::make(records), {{"c1", "-:lf1"}, {"c2", "-:lf1"}, {"c3", "-:lf2"}});
    EXPECT_EQ(error_of(records), "t.yaml:3:1 lf2, lf3");
}

TEST(SwitchTree, make_leaves_out_what_is_no_tree) {
    EXPECT_EQ(error_of({leaf("a", "n[1-")}), "t.conf:1:1 n[1-");
    EXPECT_EQ(error_of({inner("core", "leaf[1-2]"), leaf("leaf1", "n1")}), "t.conf:2:1 leaf2");
    EXPECT_EQ(error_of({leaf("a", "n1"), leaf("a", "n2")}), "t.conf:1:1 a");
    EXPECT_EQ(error_of({inner("a", "b"), inner("b", "a")}), "t.conf:2:1 a");
    EXPECT_EQ(error_of({inner("a", "s[1-65537]")}), "t.conf:2:1 65537 hosts");
    EXPECT_EQ(error_of({leaf("a", "n1"), leaf("a", ""), block("a", "n1"), leaf("b", "")}), "none");
}

TEST(SwitchTree, make_keeps_all_else) {
    expect_places(SwitchTree::make({leaf("a", "n[1-"), leaf("b", "n2")}),
                  {{"n1", "nowhere"}, {"n2", "-:b"}});
    expect_places(SwitchTree::make({inner("core", "leaf[1-2]"), leaf("leaf1", "n1")}),
                  {{"n1", "core:leaf1"}});
    expect_places(SwitchTree::make({leaf("a", ""), leaf("a", "n1"), leaf("a", "n2"), inner("top", "a")}),
                  {{"n1", "top:a"}, {"n2", "nowhere"}});
    // root is above the circle of a and b, which is above the leaf.
    expect_places(SwitchTree::make({inner("root", "a"), inner("a", "b,leaf1"), inner("b", "a"),
                                    leaf("leaf1", "n1"), leaf("leaf2", "n2")}),
                  {{"n1", "a:leaf1"}, {"n2", "-:leaf2"}});
}

TEST(SwitchTree, find_takes_no_placeholder_for_a_switch) {
    const auto tree = SwitchTree::make(
        {inner("core", "fabA,no-topology"), inner("fabA", "fabA.unknown,leaf1"), leaf("leaf1", "n[1-2]"),
         leaf("fabA.unknown", "n[2-3]"), leaf("no-topology", "n[4-5]"), leaf("unknown", "n[6-8]"),
         block("b1", "n[7-8]"), block("unknown", "n8")});
    expect_places(tree, {{"n1", "core/fabA:leaf1"},
                         {"n2", "core/fabA:leaf1"},
                         {"n3", "core/fabA:-"},
                         {"n4", "core:-"},
                         {"n6", "-:-"},
                         {"n7", "-:b1"},
                         {"n8", "-:b1"},
                         {"n9", "nowhere"}});
    EXPECT_EQ(tree.find("n6", Placeholders("none"))->levels[kSwitch]->to_string(), "unknown");
}

TEST(SwitchTree, print_keeps_what_the_hosts_need) {
    const auto tree =
        SwitchTree::make({inner("root", "island[1-2]"), leaf("leaf1", "n[1-9]"), leaf("leaf2", "n10"),
                          leaf("leaf3", "n[20-30]"), inner("island1", "leaf[1-2]"),
                          inner("island2", "leaf3"), block("b1", "n[1-3]")});
    EXPECT_EQ(*tree.print({"n2", "n3", "n5", "n10", "other"}),
              "SwitchName=root Switches=island1\n"
              "SwitchName=leaf1 Nodes=n[2-3,5]\n"
              "SwitchName=leaf2 Nodes=n10\n"
              "SwitchName=island1 Switches=leaf[1-2]\n"
              "BlockName=b1 Nodes=n[2-3]\n");
    EXPECT_EQ(*tree.print({}), "");
    const auto odd = SwitchTree::make({leaf("rack 7", "N[1-3].lab")});
    EXPECT_EQ(*odd.print({"n2", "n3.lab", "n1.home"}), "SwitchName=\"rack 7\" Nodes=N[2-3].lab\n");
}

TEST(Placeholders, has_the_usual_words) {
    const Placeholders usual;
    for (const char* name :
         {"no-topology", "unknown", "Unknown", "NO-TOPOLOGY", "fabA.unknown", "ib1.Unknown"}) {
        EXPECT_TRUE(usual.has(name)) << name;
    }
    for (const char* name :
         {"", "leaf1", "unknown1", "my-unknown", "no-topology.leaf", "unknown.fabA"}) {
        EXPECT_FALSE(usual.has(name)) << name;
    }
}

TEST(Placeholders, has_what_is_listed) {
    const Placeholders own(" none , x*y,*,");
    EXPECT_TRUE(own.has("anything"));
    const Placeholders few("none,x*y");
    for (const char* name : {"none", "xy", "xyy", "X-Y"}) {
        EXPECT_TRUE(few.has(name)) << name;
    }
    for (const char* name : {"", "x", "y", "xyz", "unknown"}) {
        EXPECT_FALSE(few.has(name)) << name;
    }
    EXPECT_FALSE(Placeholders("").has(""));
    EXPECT_FALSE(Placeholders("xx*xx").has("xxx"));
}

}  // namespace
}  // namespace hitopo
