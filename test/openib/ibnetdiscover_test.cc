// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "test/paths.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

std::string read_fixture(const std::string& name) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/fabrics/" + name + ".ibnetdiscover");
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Fabric parse_fixture(const std::string& name) {
    const Result<Fabric> fabric = parse_ibnetdiscover(read_fixture(name), name);
    EXPECT_TRUE(fabric) << (fabric ? "" : fabric.error().message);
    return fabric ? *fabric : Fabric();
}

Error error_of(const std::string& text) {
    const Result<Fabric> fabric = parse_ibnetdiscover(text, "fabric.txt");
    EXPECT_FALSE(fabric);
    return fabric ? Error() : fabric.error();
}

using Guids = std::vector<std::uint64_t>;

const std::string kSwitch = "Switch\t40 \"S-00000000000000b1\"\t\t# \"sw\" base port 0 lid 1 lmc 0\n";

TEST(Ibnetdiscover, fat_tree_of_two_islands) {
    const Fabric fabric = parse_fixture("tree-2x2x2");
    ASSERT_EQ(fabric.switches.size(), 9u);
    ASSERT_EQ(fabric.ports.size(), 8u);
    const FabricSwitch* leaf = fabric.find_switch(0x2000);
    ASSERT_NE(leaf, nullptr);
    EXPECT_EQ(leaf->description, "i1leaf1");
    EXPECT_EQ(leaf->neighbours, (Guids{0x2002, 0x2003}));
    EXPECT_EQ(fabric.find_switch(0x2002)->neighbours, (Guids{0x2000, 0x2001, 0x2008}));
    const FabricPort* port = fabric.find_port(0x10000b);
    ASSERT_NE(port, nullptr);
    EXPECT_EQ(port->switch_guid, 0x2004u);
    EXPECT_EQ(port->lid, 15u);
    EXPECT_EQ(port->line, 49);
    EXPECT_EQ(fabric.find_port(0x10000a), nullptr);
    EXPECT_EQ(fabric.find_switch(0x1fff), nullptr);
}

TEST(Ibnetdiscover, grouped_by_chassis_with_external_ports_and_a_router) {
    const Fabric fabric = parse_fixture("chassis-grouped");
    ASSERT_EQ(fabric.switches.size(), 2u);
    EXPECT_EQ(fabric.switches[0].description, "ISR2012 Voltaire spine 1");
    EXPECT_EQ(fabric.switches[0].neighbours, (Guids{0x8f104003f0020}));
    ASSERT_EQ(fabric.ports.size(), 1u);
    EXPECT_EQ(fabric.ports[0].guid, 0x8f10403970001u);
    EXPECT_EQ(fabric.ports[0].lid, 7u);
}

TEST(Ibnetdiscover, aggregation_nodes_are_no_hosts) {
    const Fabric fabric = parse_fixture("unnamed-with-aggregation");
    ASSERT_EQ(fabric.ports.size(), 2u);
    EXPECT_EQ(fabric.ports[0].guid, 0xa11u);
    EXPECT_EQ(fabric.ports[1].guid, 0xa21u);
}

TEST(Ibnetdiscover, carriage_returns_and_full_information) {
    const Result<Fabric> fabric = parse_ibnetdiscover(
        "Switch\t40 \"S-00000000000000b1\"\t\t# \"sw\" base port 0 lid 1 lmc 0\r\n"
        "[1]\t\"H-000000000000a000\"[1](a001) \t\t# \"n1\" lid 3 4xHDR s=1 w=2 v=4\r\n",
        "");
    ASSERT_TRUE(fabric);
    EXPECT_EQ(fabric->find_port(0xa001)->lid, 3u);
}

TEST(Ibnetdiscover, descriptions_with_quotation_marks_and_lids_in_them) {
    const Result<Fabric> fabric = parse_ibnetdiscover(
        "Switch\t40 \"S-00000000000000b1\"\t\t# \"a \"b\" lid 9\" base port 0 lid 1 lmc 0\n"
        "[1]\t\"H-000000000000a000\"[1](a001) \t\t# \"n \" lid 5 \" x\" lid 3 4xHDR\n",
        "");
    ASSERT_TRUE(fabric);
    EXPECT_EQ(fabric->switches[0].description, "a \"b\" lid 9");
    EXPECT_EQ(fabric->ports[0].lid, 3u);
}

TEST(Ibnetdiscover, links_to_itself_are_none) {
    const Result<Fabric> fabric =
        parse_ibnetdiscover(kSwitch + "[1]\t\"S-00000000000000b1\"[2]\t\t# \"sw\" lid 1 4xHDR\n", "");
    ASSERT_TRUE(fabric);
    EXPECT_TRUE(fabric->switches[0].neighbours.empty());
}

// `ibnetdiscover -s` prints its progress to the same output, and warnings may have gone there, too.
TEST(Ibnetdiscover, progress_is_passed_over) {
    const std::string progress =
        "DR path slid 0; dlid 0; 0,1 -> new Switch {00000000000000b1} portnum 0 lid 0-0 \"sw\"\n";
    const std::string full = kSwitch + "[1]\t\"H-000000000000a000\"[1](a001) \t\t# \"n1\" lid 3 4xHDR\n";
    for (const std::string& text : {progress + full, full + progress, progress + progress + full}) {
        const Result<Fabric> fabric = parse_ibnetdiscover(text, "fabric.txt");
        ASSERT_TRUE(fabric) << text;
        ASSERT_NE(fabric->find_port(0xa001), nullptr) << text;
        EXPECT_EQ(fabric->find_port(0xa001)->lid, 3u);
        EXPECT_TRUE(fabric->skipped.is_empty());
    }
    const Result<Fabric> warned =
        parse_ibnetdiscover(full + "ibwarn: [7] mad_rpc: failed\n", "fabric.txt");
    ASSERT_TRUE(warned);
    EXPECT_NE(warned->find_port(0xa001), nullptr);
    EXPECT_EQ(warned->skipped.as_one()->value, "ibwarn: [7] mad_rpc: failed");
    EXPECT_EQ(error_of(progress).value, "");
}

// What stands between the lines of a listing changes nothing.
TEST(Ibnetdiscover, odd_lines_cost_only_themselves) {
    std::mt19937 random(30);
    const std::vector<std::string> odd = {
        "",
        " \t",
        "# c",
        "#",
        "DR path slid 0; dlid 0; 0,1 -> new Ca {00000000000000a0} portnum 1 lid 0-0 \"\"",
        "ibwarn: [1] \xff",
        "Hostname: x",
        "unknown=1"};
    for (const char* name : {"tree-2x2x2", "chassis-grouped"}) {
        const Fabric plain = parse_fixture(name);
        for (int i = 0; i < random_cases(50); ++i) {
            const char* end = random() % 2 == 0 ? "\n" : "\r\n";
            std::istringstream lines(read_fixture(name));
            std::string text;
            for (std::string line; std::getline(lines, line); text += line + end) {
                while (random() % 4 == 0) {
                    text += odd[random() % odd.size()] + end;
                }
            }
            const Result<Fabric> fabric = parse_ibnetdiscover(text, "");
            ASSERT_TRUE(fabric) << text;
            ASSERT_EQ(fabric->switches.size(), plain.switches.size());
            for (std::size_t each = 0; each < plain.switches.size(); ++each) {
                EXPECT_EQ(fabric->switches[each].neighbours, plain.switches[each].neighbours);
            }
            ASSERT_EQ(fabric->ports.size(), plain.ports.size());
            for (std::size_t each = 0; each < plain.ports.size(); ++each) {
                EXPECT_EQ(fabric->ports[each].switch_guid, plain.ports[each].switch_guid);
                EXPECT_EQ(fabric->ports[each].lid, plain.ports[each].lid);
            }
        }
    }
}

// "fabric.txt:2:1 VALUE"
std::string place_of(const Error& error) {
    EXPECT_FALSE(error.message.empty());
    return error.position() + ' ' + error.value;
}

TEST(Ibnetdiscover, errors_have_a_position) {
    const std::string links = "SW 1 2 0xb1 4x HDR - CA 3 1 0xa1 ( 'sw' - 'n1' )";  // of --ports
    const std::string tree = read_fixture("tree-2x2x2");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "fabric.txt "},
        {"#\n# Topology file:\n", "fabric.txt "},
        {"# fine\nWhat is this?\n", "fabric.txt:2:1 What is this?"},
        {links + '\n', "fabric.txt:1:1 " + links},
        {"[1]\t\"S-00000000000000b1\"[2]\n", "fabric.txt:1:1 [1]\t\"S-00000000000000b1\"[2]"},
        {"Switch\tmany \"S-b1\"\n", "fabric.txt:1:8 many \"S-b1\""},
        {"Switch\t4 \"leaf1\"\n", "fabric.txt:1:12 eaf1\""},
        {"Switch\t4 \"H-b1\"\t# \"x\"\n", "fabric.txt:1:16 \t# \"x\""},
        {kSwitch + "[x]\n", "fabric.txt:2:2 x]"},
        {kSwitch + "[1][ext x]\n", "fabric.txt:2:9 x]"},
        {kSwitch + "[1] \"H-a0\"[1]\t# \"n\" lid 3\n", "fabric.txt:2:15 # \"n\" lid 3"},
        {kSwitch + "[1] \"H-a0\"[1](a1)\t# \"n\" 4xHDR\n", "fabric.txt:2:23 \" 4xHDR"},
        {kSwitch + "[1] \"H-a0\"[1](a1)\t# \"n\" lid 65536\n", "fabric.txt:2:34 "},
        {tree.substr(0, tree.find("sysimgguid=0x2003")), "fabric.txt:13:1 0x0000000000002003"}};
    for (const auto& [text, place] : cases) {
        EXPECT_EQ(place_of(error_of(text)), place);
        EXPECT_EQ(error_of(text).code, Errc::kMalformed) << place;
    }
    EXPECT_EQ(error_of("Switch\t4 \"S-10000000000000000\"\n").column, 13) << "more than 64 bits";
    const Error large = error_of(std::string(kMaxFabricBytes + 1, '#'));
    EXPECT_EQ(large.code, Errc::kTooLarge);
    EXPECT_EQ(place_of(large), "fabric.txt more than 67108864 bytes");
}

// One island of 500 spines and 500 leaves would have more links than any real fabric of this size.
TEST(Ibnetdiscover, a_fabric_of_a_thousand_switches) {
    std::ostringstream text;
    const auto write_switch = [&](int guid) {
        text << "Switch\t500 \"S-" << std::hex << guid << "\"\t# \"sw\" base port 0 lid 1 lmc 0\n";
    };
    for (int leaf = 1; leaf <= 500; ++leaf) {
        write_switch(leaf);
        for (int spine = 501; spine <= 1000; ++spine) {
            text << "[1]\t\"S-" << spine << "\"[1]\t\t# \"sw\" lid 1 4xHDR\n";
        }
        text << "[1]\t\"H-a\"[1](" << 0x10000 + leaf << ") \t\t# \"n\" lid 1 4xHDR\n";
    }
    for (int spine = 501; spine <= 1000; ++spine) {
        write_switch(spine);
    }
    const Result<Fabric> fabric = parse_ibnetdiscover(text.str(), "");
    ASSERT_TRUE(fabric);
    EXPECT_EQ(fabric->switches.size(), 1000u);
    EXPECT_EQ(fabric->ports.size(), 500u);
    EXPECT_EQ(fabric->find_switch(500)->neighbours.size(), 500u);
}

// Listing a fabric twice changes nothing.
TEST(Ibnetdiscover, idempotent) {
    const std::string text = read_fixture("tree-2x2x2");
    const Result<Fabric> once = parse_ibnetdiscover(text, "");
    const Result<Fabric> twice = parse_ibnetdiscover(text + text, "");
    ASSERT_TRUE(once);
    ASSERT_TRUE(twice);
    ASSERT_EQ(once->switches.size(), twice->switches.size());
    for (std::size_t i = 0; i < once->switches.size(); ++i) {
        EXPECT_EQ(once->switches[i].neighbours, twice->switches[i].neighbours);
    }
    EXPECT_EQ(once->ports.size(), twice->ports.size());
}

}  // namespace
}  // namespace hitopo
