// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/fabric.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

TEST(Fabric, finish_sorts_and_joins) {
    Fabric fabric;
    fabric.switches = {{3, "three", {9, 1, 9}}, {1, "one", {3}}, {3, "again", {2}}};
    fabric.ports = {{8, 3, 20, 1}, {7, 1, 21, 2}, {8, 1, 22, 3}};
    fabric.finish();
    ASSERT_EQ(fabric.switches.size(), 2u);
    EXPECT_EQ(fabric.switches[0].guid, 1u);
    EXPECT_EQ(fabric.switches[1].description, "three");
    EXPECT_EQ(fabric.switches[1].neighbours, (std::vector<std::uint64_t>{1, 2, 9}));
    ASSERT_EQ(fabric.ports.size(), 2u);
    EXPECT_EQ(fabric.ports[1].lid, 20u);
    EXPECT_EQ(fabric.find_port(7), &fabric.ports[0]);
    EXPECT_EQ(fabric.find_switch(2), nullptr);
}

TEST(Fabric, empty) {
    Fabric fabric;
    fabric.finish();
    EXPECT_EQ(fabric.find_port(0), nullptr);
}

TEST(Fabric, guids_as_text) {
    EXPECT_EQ(guid_to_string(0), "0x0000000000000000");
    EXPECT_EQ(guid_to_string(0x0002c903000a1b2c), "0x0002c903000a1b2c");
    EXPECT_EQ(guid_to_string(~std::uint64_t{0}), "0xffffffffffffffff");
}

}  // namespace
}  // namespace hitopo
