// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/fabric_place.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "ompi/mca/hitopo/core/ibnetdiscover.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kPrefix = 0xfe80000000000000;

Fabric parse_fixture(const std::string& name) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/fabrics/" + name + ".ibnetdiscover");
    std::ostringstream text;
    text << file.rdbuf();
    const Result<Fabric> fabric = parse_ibnetdiscover(text.str(), name);
    EXPECT_TRUE(fabric);
    return fabric ? *fabric : Fabric();
}

FabricPlace place(const Fabric& fabric, std::uint64_t port, std::uint64_t prefix = kPrefix) {
    const std::optional<FabricPlace> found = place_port(fabric, port, prefix);
    EXPECT_TRUE(found);
    return found ? *found : FabricPlace{RawValue(""), RawValue("")};
}

TEST(FabricPlace, leaves_and_islands_of_a_tree) {
    const Fabric fabric = parse_fixture("tree-2x2x2");
    const FabricPlace first = place(fabric, 0x100001);      // i1l1n1
    const FabricPlace same_leaf = place(fabric, 0x100003);  // i1l1n2
    const FabricPlace next_leaf = place(fabric, 0x100005);  // i1l2n1
    const FabricPlace far = place(fabric, 0x100009);        // i2l1n1
    EXPECT_EQ(first.leaf.visible().text(), "i1leaf1");
    EXPECT_EQ(first.island.visible().text(), "i1spine1");
    EXPECT_EQ(first.leaf, same_leaf.leaf);
    EXPECT_FALSE(first.leaf == next_leaf.leaf);
    EXPECT_EQ(first.island, next_leaf.island);
    EXPECT_FALSE(first.island == far.island);
    EXPECT_TRUE(first.leaf < next_leaf.leaf);
    EXPECT_TRUE(first.island < far.island);
    EXPECT_EQ(far.island.visible().text(), "i2spine1");
}

TEST(FabricPlace, a_leaf_that_lost_its_link_to_the_lowest_spine_stays_in_its_island) {
    const Fabric fabric = parse_fixture("tree-lost-link");
    EXPECT_EQ(place(fabric, 0x100003).leaf.visible().text(), "i1leaf2");
    EXPECT_EQ(place(fabric, 0x100003).island, place(fabric, 0x100001).island);
}

TEST(FabricPlace, switches_of_one_description_are_shown_by_guid) {
    const Fabric fabric = parse_fixture("unnamed-with-aggregation");
    EXPECT_EQ(place(fabric, 0xa11).leaf.visible().text(), "0x00000000000000b1");
    EXPECT_EQ(place(fabric, 0xa21).leaf.visible().text(), "0x00000000000000b2");
    EXPECT_EQ(place(fabric, 0xa11).island, place(fabric, 0xa21).island);
    EXPECT_EQ(place(fabric, 0xa11).island.visible().text(), "0x00000000000000b3");
}

TEST(FabricPlace, a_single_switch_is_its_own_island) {
    const FabricPlace only = place(parse_fixture("one-switch"), 0xa11);
    EXPECT_EQ(only.leaf.visible().text(), "ibsw0");
    EXPECT_EQ(only.island.visible().text(), "ibsw0");
}

TEST(FabricPlace, subnets_are_apart) {
    const Fabric fabric = parse_fixture("one-switch");
    EXPECT_FALSE(place(fabric, 0xa11, 1).leaf == place(fabric, 0xa11, 2).leaf);
    EXPECT_FALSE(place(fabric, 0xa11, 1).island == place(fabric, 0xa11, 2).island);
}

TEST(FabricPlace, unknown_ports_have_no_place) {
    EXPECT_FALSE(place_port(parse_fixture("one-switch"), 0xa10, kPrefix));
    EXPECT_FALSE(place_port(Fabric(), 1, kPrefix));
}

}  // namespace
}  // namespace hitopo
