// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/lldp/lldp_neighbour.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hitopo {
namespace {

LldpNeighbour leaf(const std::string& interface, const std::string& chassis, const std::string& name) {
    return {interface, false, 0, "LLDP", "mac", chassis, name, "swp1", true, true};
}

std::string interfaces_of(const std::vector<LldpNeighbour>& neighbours) {
    std::string names;
    for (const LldpNeighbour& neighbour : neighbours) {
        names += (names.empty() ? "" : " ") + neighbour.interface;
    }
    return names;
}

TEST(LldpNeighbour, a_switch_is_its_chassis_shown_by_its_name) {
    EXPECT_EQ(to_switch(leaf("ens1", "02:00", "leaf-1")).to_string(), "mac 02:00/leaf-1");
    EXPECT_EQ(to_switch(leaf("ens1", "02:00", "")).to_string(), "mac 02:00/mac 02:00");
    // Factory names are alike, and a name may be another kind's chassis.
    EXPECT_FALSE(to_switch(leaf("ens1", "02:01", "leaf-1")) ==
                 to_switch(leaf("ens1", "02:00", "leaf-1")));
    LldpNeighbour local = leaf("ens1", "02:00", "leaf-1");
    local.chassis_type = "local";
    EXPECT_FALSE(to_switch(local) == to_switch(leaf("ens1", "02:00", "leaf-1")));
    // Neither port nor interface belongs to the switch.
    LldpNeighbour other_port = leaf("ens7", "02:00", "leaf-1");
    other_port.port = "swp9";
    EXPECT_TRUE(to_switch(other_port) == to_switch(leaf("ens1", "02:00", "leaf-1")));
}

TEST(LldpNeighbour, what_is_no_switch) {
    LldpNeighbour neighbour = leaf("ens1", "02:00", "leaf-1");
    EXPECT_EQ(why_no_switch(neighbour), "");
    neighbour.forwards = false;
    EXPECT_EQ(why_no_switch(neighbour), "a host: neither Bridge nor Router is enabled");
    neighbour.tells_capabilities = false;
    EXPECT_EQ(why_no_switch(neighbour), "it sends no capabilities, so it may not be a switch");
    neighbour = leaf("ens1", "", "leaf-1");
    EXPECT_EQ(why_no_switch(neighbour), "it sends no chassis ID");
    neighbour = leaf("ens1", "02:00", "leaf-1");
    neighbour.protocol = "CDPv2";
    EXPECT_EQ(why_no_switch(neighbour), "received by CDPv2, not by LLDP");
    EXPECT_EQ(why_no_switch(leaf("ens1", "02:00", std::string(255, 'x'))), "");
    EXPECT_EQ(why_no_switch(leaf("ens1", "02:00", std::string(256, 'x'))),
              "its name has more than 255 bytes, which LLDP does not allow");
    EXPECT_EQ(why_no_switch(leaf("ens1", std::string(256, 'x'), "leaf-1")),
              "its name has more than 255 bytes, which LLDP does not allow");
}

TEST(LldpNeighbour, describe_names_interface_switch_and_port) {
    EXPECT_EQ(describe(leaf("ens1", "02:00", "leaf-1")),
              "ens1 is linked to leaf-1 (mac 02:00), port swp1");
    LldpNeighbour host = leaf("ens1", "02:00", "");
    host.port = "";
    host.forwards = false;
    EXPECT_EQ(describe(host),
              "ens1 is linked to mac 02:00: a host: neither Bridge nor Router is enabled");
    EXPECT_EQ(describe(leaf("ens1", "02:00", std::string(65, 'x'))),
              "ens1 is linked to " + std::string(64, 'x') + ".. (mac 02:00), port swp1");
}

TEST(LldpNeighbour, the_order_is_natural_with_rdma_first) {
    std::vector<LldpNeighbour> neighbours = {leaf("ens10", "02:00", "a"), leaf("ens9", "02:03", "c"),
                                             leaf("ens9", "02:02", "b"), leaf("ens20", "02:04", "d")};
    neighbours[3].has_rdma = true;
    const auto by_chassis = [](const LldpNeighbour& a, const LldpNeighbour& b) {
        return a.chassis < b.chassis;
    };
    std::sort(neighbours.begin(), neighbours.end(), by_chassis);
    do {
        std::vector<LldpNeighbour> sorted = neighbours;
        sort_neighbours(sorted);
        EXPECT_EQ(interfaces_of(sorted), "ens20 ens9 ens9 ens10");
        EXPECT_EQ(sorted[1].chassis, "02:02");
    } while (std::next_permutation(neighbours.begin(), neighbours.end(), by_chassis));
}

TEST(LldpNeighbour, find_switch_takes_the_first_that_is_one) {
    EXPECT_EQ(find_switch({}), nullptr);
    std::vector<LldpNeighbour> neighbours = {leaf("ens1", "02:01", "host"), leaf("ens2", "02:02", "a"),
                                             leaf("ens3", "02:03", "b")};
    neighbours[0].forwards = false;
    EXPECT_EQ(find_switch(neighbours), &neighbours[1]);
    neighbours[1].protocol = "EDP";
    neighbours[2].chassis = "";
    EXPECT_EQ(find_switch(neighbours), nullptr);
}

}  // namespace
}  // namespace hitopo
