// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/fabric_place.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "ompi/mca/hitopo/openib/fabric/ibnetdiscover.h"

namespace hitopo {
namespace {

Fabric parse_fixture(const std::string& name) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/fabrics/" + name + ".ibnetdiscover");
    std::ostringstream text;
    text << file.rdbuf();
    const Result<Fabric> fabric = parse_ibnetdiscover(text.str(), name);
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
    const Fabric fabric = parse_fixture("tree-lost-link");
    EXPECT_EQ(uplinks(fabric, 0x100003).name, "i1leaf2");
    EXPECT_EQ(uplinks(fabric, 0x100003).l2_switches, uplinks(fabric, 0x100001).l2_switches);
    EXPECT_EQ(uplinks(fabric, 0x100003).first_name, uplinks(fabric, 0x100001).first_name);
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

TEST(FabricPlace, of_an_unknown_switch_nothing_is_known) {
    EXPECT_TRUE(uplinks_of(Fabric(), 1).l2_switches.empty());
}

}  // namespace
}  // namespace hitopo
