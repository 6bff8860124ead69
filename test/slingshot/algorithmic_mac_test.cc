// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/slingshot/slingshot.h"

namespace hitopo {
namespace {

// "group/switch/port" or "none".
std::string place(std::string_view text) {
    const auto found = parse_algorithmic_mac(text);
    return found ? std::to_string(found->group) + '/' + std::to_string(found->group_switch) + '/' +
                       std::to_string(found->port)
                 : "none";
}

TEST(AlgorithmicMac, parse_tells_group_switch_and_port) {
    EXPECT_EQ(place("02:00:00:00:07:ea"), "0/31/42");  // HPE's own example
    EXPECT_EQ(place("02:00:00:00:00:00"), "0/0/0");
    EXPECT_EQ(place("02:00:00:00:00:3f"), "0/0/63");
    EXPECT_EQ(place("02:00:00:00:00:40"), "0/1/0");
    EXPECT_EQ(place("02:00:00:00:08:00"), "1/0/0");
    EXPECT_EQ(place("02:00:00:0f:ff:ff"), "511/31/63");
    EXPECT_EQ(place("02:00:00:0A:Bc:dE"), "343/19/30");  // abcde: 1 0101 0111, 1 0011, 01 1110
}

TEST(AlgorithmicMac, parse_refuses_what_no_fabric_manager_gave) {
    for (const char* text :
         {"02:00:00:10:00:00", "02:00:01:00:07:ea", "02:01:00:00:07:ea", "00:00:00:00:07:ea",
          "06:00:00:00:07:ea", "00:40:a6:82:f7:5f", "ff:ff:ff:ff:ff:ff"}) {
        EXPECT_EQ(place(text), "none") << text;
    }
}

TEST(AlgorithmicMac, parse_refuses_what_is_no_address) {
    for (const std::string& text :
         {std::string(), std::string("02:00:00:00:07"), std::string("02:00:00:00:07:ea\n"),
          std::string(" 02:00:00:00:07:ea"), std::string("02-00-00-00-07-ea"),
          std::string("02:00:00:00:07:eg"), std::string("02:00:00:00:07:e"),
          std::string("02:00:00:00:07:ea:"), std::string("0200000007ea"),
          std::string("+2:00:00:00:07:ea"), std::string("02:00:00:00:07:e\0", 17),
          std::string(1 << 20, '0')}) {
        EXPECT_EQ(place(text), "none") << text.substr(0, 40);
    }
}

}  // namespace
}  // namespace hitopo
