// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "test/paths.h"

namespace hitopo {
namespace {

// Without the lines that hold one of `lost`.
Fabric parse_fixture(const std::string& name, const std::vector<const char*>& lost = {}) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/fabrics/" + name + ".ibnetdiscover");
    std::string text;
    for (std::string line; std::getline(file, line);) {
        const auto is_in_line = [&](const char* part) { return line.find(part) != std::string::npos; };
        text += std::any_of(lost.begin(), lost.end(), is_in_line) ? "" : line + '\n';
    }
    const Result<Fabric> fabric = parse_ibnetdiscover(text, name);
    EXPECT_TRUE(fabric);
    return fabric ? *fabric : Fabric();
}

LeafUplinks uplinks(const Fabric& fabric, std::uint64_t port) {
    const FabricPort* found = fabric.find_port(port);
    EXPECT_NE(found, nullptr);
    return found != nullptr ? uplinks_of(fabric, found->switch_guid) : LeafUplinks();
}

using Guids = std::vector<std::uint64_t>;

// GUIDs count in the order leaves, spines, island by island: i1 2000 2001, 2002 2003; i2 2004 2005, 2006
// 2007.
TEST(FabricPlace, leaves_and_islands_of_a_tree) {
    const Fabric fabric = parse_fixture("tree-2x2x2");
    const LeafUplinks first = uplinks(fabric, 0x100001);  // i1l1n1
    EXPECT_EQ(first.name, "i1leaf1");
    EXPECT_EQ(first.l2_switches, (Guids{0x2002, 0x2003}));
    EXPECT_EQ(first.first_name, "i1spine1");
    EXPECT_EQ(uplinks(fabric, 0x100005).l2_switches, first.l2_switches);  // i1l2n1
    const LeafUplinks far = uplinks(fabric, 0x100009);                    // i2l1n1
    EXPECT_EQ(far.name, "i2leaf1");
    EXPECT_EQ(far.l2_switches, (Guids{0x2006, 0x2007}));
}

TEST(FabricPlace, a_leaf_that_lost_its_link_to_the_lowest_spine_stays_in_its_island) {
    const Fabric fabric =
        parse_fixture("tree-2x2x2", {"S-0000000000002002\"[2]", "S-0000000000002001\"[3]"});
    EXPECT_EQ(fabric.find_switch(0x2001)->neighbours, Guids{0x2003});
    EXPECT_EQ(uplinks(fabric, 0x100005).name, "i1leaf2");
    EXPECT_EQ(uplinks(fabric, 0x100005).l2_switches, uplinks(fabric, 0x100001).l2_switches);
    EXPECT_EQ(uplinks(fabric, 0x100005).first_name, uplinks(fabric, 0x100001).first_name);
}

TEST(FabricPlace, descriptions_that_several_switches_have_are_no_names) {
    const Fabric fabric = parse_fixture("unnamed-with-aggregation");
    EXPECT_EQ(uplinks(fabric, 0xa11).name, "");
    EXPECT_EQ(uplinks(fabric, 0xa11).l2_switches, Guids{0xb3});
    EXPECT_EQ(uplinks(fabric, 0xa11).first_name, "");
}

TEST(FabricPlace, a_single_switch_has_nothing_above) {
    const LeafUplinks only = uplinks(parse_fixture("one-switch"), 0xa11);
    EXPECT_EQ(only.name, "ibsw0");
    EXPECT_TRUE(only.l2_switches.empty());
    EXPECT_EQ(only.first_name, "");
}

TEST(FabricPlace, a_leaf_is_its_subnet_and_guid_shown_by_guid) {
    EXPECT_FALSE(leaf_value(1, 0xb1) == leaf_value(2, 0xb1));
    EXPECT_FALSE(leaf_value(1, 0xb1) == leaf_value(1, 0xb2));
    EXPECT_EQ(leaf_value(1, 0xb1), leaf_value(1, 0xb1));
    EXPECT_EQ(leaf_value(1, 0xb1).visible().text(), "0x00000000000000b1");
}

// ---- fabrics whose leaves are linked to each other ----

struct Link {
    std::uint64_t a, b;
};

// Each time that a leaf is in `leaves`, it has a host.
Fabric fabric_of(const Guids& leaves, const std::vector<Link>& links) {
    Fabric fabric;
    for (const std::uint64_t leaf : leaves) {
        fabric.ports.push_back({1000 + fabric.ports.size(), leaf, 0, 0});
        fabric.switches.push_back({leaf, "", {}});
    }
    for (const Link& link : links) {
        fabric.switches.push_back({link.a, "", {link.b}});
        fabric.switches.push_back({link.b, "", {link.a}});
    }
    fabric.finish();
    return fabric;
}

// "1,2 3": the switches above leaves 1 and 2 are the same ones, and there are some.
std::string islands_of(const Fabric& fabric, const Guids& leaves) {
    std::map<Guids, std::string> by_switches;
    std::string text;
    for (const std::uint64_t leaf : leaves) {
        Guids key = uplinks_of(fabric, leaf).l2_switches;
        key = key.empty() ? Guids{0, leaf} : key;
        std::string& members = by_switches[key];
        members += (members.empty() ? "" : ",") + std::to_string(leaf);
    }
    for (const auto& [key, members] : by_switches) {
        text += (text.empty() ? "" : " ") + members;
    }
    return text;
}

// Leaves 1 to 4 below spines 11 and 12; 5 is linked to 1 and 2, 6 to 5, 7 to 4.
TEST(FabricPlace, side_switches_with_hosts_divide_no_island) {
    const Guids leaves = {1, 2, 3, 4, 5, 6, 7};
    std::vector<Link> links = {{5, 1}, {5, 2}, {6, 5}, {7, 4}};
    for (std::uint64_t leaf = 1; leaf <= 4; ++leaf) {
        links.insert(links.end(), {{leaf, 11}, {leaf, 12}});
    }
    EXPECT_EQ(islands_of(fabric_of(leaves, links), leaves), "5 6 7 1,2,3,4");
}

// Leaves 1 to 4 below spines 11 and 12, which have a host each for the fabric's manager; leaf 4 has one
// host left. In the mesh below, 3 has as few.
TEST(FabricPlace, a_spine_with_few_hosts_is_above_its_leaves) {
    std::vector<Link> links;
    for (std::uint64_t leaf = 1; leaf <= 4; ++leaf) {
        links.insert(links.end(), {{leaf, 11}, {leaf, 12}});
    }
    const Guids hosts_at = {1, 1, 2, 2, 3, 3, 4, 11, 12};
    EXPECT_EQ(islands_of(fabric_of(hosts_at, links), {1, 2, 3, 4}), "1,2,3,4");
    EXPECT_EQ(
        islands_of(fabric_of({1, 1, 2, 2, 3, 4, 4}, {{1, 2}, {2, 3}, {3, 4}, {4, 1}}), {1, 2, 3, 4}),
        "1 2 3 4");
}

TEST(FabricPlace, a_core_with_hosts_is_a_leaf) {
    EXPECT_EQ(islands_of(fabric_of({1, 2, 3}, {{1, 2}, {2, 3}}), {1, 2, 3}), "1 2 3");
}

// 1 - 2 - 3
// |   |   |
// 4 - 5 - 6
TEST(FabricPlace, a_mesh_has_no_islands_of_several_leaves) {
    const Guids leaves = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(
        islands_of(fabric_of(leaves, {{1, 2}, {2, 3}, {4, 5}, {5, 6}, {1, 4}, {2, 5}, {3, 6}}), leaves),
        "1 2 3 4 5 6");
}

// 21 hangs on 1, and 23 behind 22 on 2.
TEST(FabricPlace, what_hangs_on_one_leaf_is_not_above_it) {
    EXPECT_EQ(
        islands_of(fabric_of({1, 2}, {{1, 11}, {2, 11}, {1, 12}, {2, 12}, {1, 21}, {2, 22}, {22, 23}}),
                   {1, 2}),
        "1,2");
}

// Leaves of one island have some switch above, none of them a leaf; and each switch without hosts that
// one of them shares with another leaf is the island's.
TEST(FabricPlace, leaves_of_one_island_share_what_is_above) {
    std::mt19937 random(9);
    for (int i = 0; i < 500; ++i) {
        Guids leaves;
        std::vector<Link> links;
        const std::uint64_t num_leaves = 1 + random() % 6;
        for (std::uint64_t leaf = 1; leaf <= num_leaves; ++leaf) {
            leaves.push_back(leaf);
            for (unsigned k = random() % 5; k > 0; --k) {
                links.push_back(
                    {leaf, random() % 2 == 0 ? 11 + random() % 4 : 1 + random() % num_leaves});
            }
        }
        for (unsigned k = random() % 5; k > 0; --k) {
            links.push_back({11 + random() % 4, 11 + random() % 4});
        }
        const Fabric fabric = fabric_of(leaves, links);
        const auto linked_above = [&](std::uint64_t leaf) {
            std::set<std::uint64_t> above;
            for (const Link& link : links) {
                if (link.a == leaf && link.b > 10) {
                    above.insert(link.b);
                }
            }
            return above;
        };
        for (const std::uint64_t leaf : leaves) {
            const Guids all = uplinks_of(fabric, leaf).l2_switches;
            for (const std::uint64_t other : leaves) {
                if (other == leaf || all.empty() || uplinks_of(fabric, other).l2_switches != all) {
                    continue;
                }
                for (const std::uint64_t above : all) {
                    ASSERT_GT(above, 10u);
                }
                ASSERT_FALSE(linked_above(leaf).empty() || linked_above(other).empty());
                for (const std::uint64_t above : linked_above(leaf)) {
                    const bool is_shared =
                        std::any_of(leaves.begin(), leaves.end(), [&](std::uint64_t each) {
                            return each != leaf && linked_above(each).count(above) != 0;
                        });
                    ASSERT_TRUE(!is_shared || std::count(all.begin(), all.end(), above) == 1);
                }
            }
        }
    }
}

TEST(FabricPlace, of_an_unknown_switch_nothing_is_known) {
    EXPECT_TRUE(uplinks_of(Fabric(), 1).l2_switches.empty());
}

}  // namespace
}  // namespace hitopo
