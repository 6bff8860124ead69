// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/topology_conf.h"

#include <gtest/gtest.h>

#include <map>

#include "test/support/expect_each.h"

namespace hitopo {
namespace {

Result<SwitchTree> read(const std::map<std::string, std::string>& files) {
    return read_topology_conf(
        "/etc/topology.conf", [&](const std::string& path, std::size_t) -> Result<std::string> {
            const auto file = files.find(path);
            return file != files.end() ? Result<std::string>(file->second)
                                       : Error{Errc::kUnreadable, path, "it is not there", "", 0, 0};
        });
}

Result<SwitchTree> read(const std::string& text) { return read({{"/etc/topology.conf", text}}); }

// The hosts, each with its switch.
void expect_switches(const Result<SwitchTree>& tree,
                     const std::vector<std::pair<const char*, const char*>>& switches) {
    ASSERT_TRUE(tree) << tree.error().message;
    const auto switch_of = [&](const char* host) {
        const auto place = tree->find(host);
        return place ? place->levels[kSwitch]->to_string() + " at " + place->source : "nowhere";
    };
    expect_each(switch_of, switches);
}

std::string error_of(const std::string& text) {
    const auto tree = read(text);
    return tree ? "none" : tree.error().position() + ' ' + tree.error().value;
}

TEST(TopologyConf, read_takes_keys_in_any_case_and_skips_others) {
    const auto tree = read(
        "# the fabric\n\nSWITCHNAME=s1 linkspeed=100 NODES=n[1-2] # two\n"
        "switchname = s2  Nodes = \"n3,n5\"\r\n");
    expect_switches(
        tree,
        {{"n2", "s1 at /etc/topology.conf:3"}, {"n5", "s2 at /etc/topology.conf:4"}, {"n4", "nowhere"}});
}

TEST(TopologyConf, read_joins_lines) {
    const auto tree = read("SwitchName=s1 \\\n  Nodes=n1\nSwitchName=s2 Nodes=n2");
    expect_switches(tree, {{"n1", "s1 at /etc/topology.conf:1"}, {"n2", "s2 at /etc/topology.conf:3"}});
    expect_switches(read("SwitchName=s1 Nodes=n1 \\"), {{"n1", "s1 at /etc/topology.conf:1"}});
}

TEST(TopologyConf, read_blocks_and_rings) {
    const auto tree = read(
        "BlockName=b1 Nodes=n[1-2]\nBlockSizes=2,4\nRingName=r1 Nodes=n[3-4]\n"
        "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-4] BlockSize=4\n");
    expect_switches(tree, {{"n2", "b1 at /etc/topology.conf:1"}, {"n3", "r1 at /etc/topology.conf:3"}});
}

TEST(TopologyConf, read_includes) {
    const auto tree = read({{"/etc/topology.conf", "Include west.conf\nSwitchName=s1 Nodes=n1\n"},
                            {"/etc/west.conf", "\nSwitchName=s2 Nodes=n2\n"}});
    expect_switches(tree, {{"n1", "s1 at /etc/topology.conf:2"}, {"n2", "s2 at /etc/west.conf:2"}});

    const auto absent = read({{"/etc/topology.conf", "\n  include  gone.conf\n"}});
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().position(), "/etc/topology.conf:2:12");
    EXPECT_EQ(absent.error().value, "/etc/gone.conf");

    const auto circle = read({{"/etc/topology.conf", "include topology.conf\n"}});
    ASSERT_FALSE(circle);
    EXPECT_EQ(circle.error().position(), "/etc/topology.conf:1:9");

    const auto deep =
        read({{"/etc/topology.conf", "include a.conf\n"}, {"/etc/a.conf", "SwitchName=s\n"}});
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().position(), "/etc/a.conf:1:1");
}

TEST(TopologyConf, read_tells_file_line_and_column) {
    expect_each(error_of,
                {{"SwitchName=s1 Nodes=n1\n  Swich=s2 Nodes=n2\n", "/etc/topology.conf:2:3 Swich"},
                 {"SwitchName=s1 Nodes\n", "/etc/topology.conf:1:15 Nodes"},
                 {"SwitchName=s1 Nodes=\"n1\n", "/etc/topology.conf:1:21 \"n1"},
                 {"SwitchName=s1\n", "/etc/topology.conf:1:1 SwitchName"},
                 {"SwitchName=s1 Nodes=n[1\n", "/etc/topology.conf:1:1 n[1"},
                 {"include \n", "/etc/topology.conf:1:1 include"}});
}

TEST(TopologyConf, parse_takes_what_slurmctld_prints) {
    const auto tree = parse_topology_conf(
        "SwitchName=core Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=leaf[1-2]\n"
        "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
        "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n",
        "slurmctld");
    expect_switches(tree, {{"n3", "leaf2 at slurmctld:3"}});
    EXPECT_FALSE(parse_topology_conf("include x\n", "slurmctld"));
}

TEST(TopologyConf, is_topology_conf_looks_at_the_first_line_that_tells) {
    EXPECT_TRUE(is_topology_conf("# c\n\ninclude x.conf\nswitchname = s1 Nodes=n1\n"));
    EXPECT_TRUE(is_topology_conf("BlockSizes=4\n"));
    EXPECT_FALSE(is_topology_conf("host n1 switch=s1\n"));
    EXPECT_FALSE(is_topology_conf("- topology: t\n"));
    EXPECT_FALSE(is_topology_conf("SwitchName s1\n"));
    EXPECT_FALSE(is_topology_conf("include x.map\n"));
    EXPECT_FALSE(is_topology_conf(""));
}

}  // namespace
}  // namespace hitopo
