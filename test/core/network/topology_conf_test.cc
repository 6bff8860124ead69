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

std::string text_of(const Error& error) { return error.position() + ' ' + error.value; }

std::string error_of(const std::string& text) {
    const auto tree = read(text);
    return tree ? "none" : text_of(tree.error());
}

// Entries that are left out of a tree; "none" where nothing is.
std::string skipped_of(const std::string& text) {
    const auto tree = read(text);
    const auto skipped = tree ? tree->skipped().as_one() : tree.error();
    return skipped ? text_of(*skipped) : "none";
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
    expect_switches(read("SwitchName=s1 \\ \t\r\n  Nodes=n1 \\ \n"),
                    {{"n1", "s1 at /etc/topology.conf:1"}});
}

TEST(TopologyConf, read_takes_lists_with_blanks) {
    const std::string text =
        "SwitchName=top Switches=\"lf1, lf2\"\nSwitchName=lf1 Nodes=\"c1, c2\"\n"
        "SwitchName=lf2 Nodes=\"c3 c4,\"\n";
    expect_switches(read(text),
                    {{"c2", "lf1 at /etc/topology.conf:2"}, {"c4", "lf2 at /etc/topology.conf:3"}});
    EXPECT_EQ(read(text)->find("c4")->levels[kIsland]->to_string(), "top");
    EXPECT_EQ(skipped_of(text), "none");
}

// Slurm's "+=" sets a text, too.
TEST(TopologyConf, read_takes_plus_for_nothing) {
    expect_switches(
        read("SwitchName=s1 Nodes=n1 Nodes+=n2\nSwitchName+=s2 Nodes += n3\n"),
        {{"n1", "nowhere"}, {"n2", "s1 at /etc/topology.conf:1"}, {"n3", "s2 at /etc/topology.conf:2"}});
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
        read({{"/etc/topology.conf", "include a.conf\n"}, {"/etc/a.conf", "SwitchName=\n"}});
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().position(), "/etc/a.conf:1:1");
}

TEST(TopologyConf, read_takes_what_has_no_nodes) {
    for (const char* empty : {"SwitchName=lf3", "SwitchName=lf3 LinkSpeed=1",
                              "SwitchName=lf3 Nodes=", "SwitchName=lf3 Nodes=\"\"", "BlockName=b9",
                              "BlockName=b9 BlockIndex=3", "RingName=r9", "TorusName=t9 Dims=2x2x2",
                              "SwitchName=DEFAULT LinkSpeed=2"}) {
        const std::string line = std::string(empty) + '\n';
        const std::string full =
            "SwitchName=top Switches=lf[1-2]\nSwitchName=lf1 Nodes=n1\nSwitchName=lf2 Nodes=n2\n";
        for (const std::string& text : {line + full, full + line, full + line + line}) {
            const auto tree = read(text);
            ASSERT_TRUE(tree) << text;
            EXPECT_EQ(tree->find("n1")->levels[kIsland]->to_string(), "top") << text;
            EXPECT_EQ(tree->find("n2")->levels[kSwitch]->to_string(), "lf2") << text;
            EXPECT_EQ(skipped_of(text), "none") << text;
        }
    }
    expect_switches(read("SwitchName=top Switches=lf[1-2]\nSwitchName=lf1 Nodes=n1\nSwitchName=lf2\n"),
                    {{"n1", "lf1 at /etc/topology.conf:2"}});
    const auto none = read("SwitchName=lf1\nBlockName=b1\n");
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->find("n1"));
}

// As slurmctld 26.05 prints them.
TEST(TopologyConf, read_toruses) {
    const auto tree = read(
        "TorusName=podA Dims=2x2x2 Nodes=n[1-8]\n"
        "  TorusName=podA PlacementDims=2x1x1(2) Anchors=4\n"
        "TorusName=podB Dims=4x2x1 Nodes=n[9-16]\n");
    expect_switches(tree,
                    {{"n8", "podA at /etc/topology.conf:1"}, {"n9", "podB at /etc/topology.conf:3"}});
    EXPECT_TRUE(tree->skipped().is_empty());
}

TEST(TopologyConf, read_leaves_out_lines_of_unknown_kinds) {
    const std::string text =
        "HypercubeName=c1 Nodes=n[1-4]\nSwitchName=s1 Nodes=n1\nHypercubeName=c2 Nodes=n[5-8]\n"
        "MeshName=m1\n";
    expect_switches(read(text), {{"n1", "s1 at /etc/topology.conf:2"}, {"n5", "nowhere"}});
    EXPECT_EQ(skipped_of(text), "/etc/topology.conf:1:1 HypercubeName");
    EXPECT_EQ(read(text)->skipped().as_one()->others[0].value, "MeshName");
    EXPECT_EQ(read(text)->skipped().as_one()->code, Errc::kSkipped);
    EXPECT_EQ(skipped_of("MeshName=m1\n"), "/etc/topology.conf:1:1 MeshName");
}

TEST(TopologyConf, read_keeps_what_is_whole) {
    const std::string text =
        "SwitchName=top Switches=lf[1-3]\nSwitchName=lf1 Nodes=n[1-2]\nSwitchName=lf2 \"Nodes\n"
        "include gone.conf\nSwitchName=lf3 Nodes=n[3-";
    expect_switches(read(text), {{"n2", "lf1 at /etc/topology.conf:2"}, {"n3", "nowhere"}});
    EXPECT_EQ(read(text)->find("n2")->levels[kIsland]->to_string(), "top");
    EXPECT_EQ(skipped_of(text), "/etc/topology.conf:3:16 \"Nodes");
}

// Slurm says so, and goes on with the last.
TEST(TopologyConf, read_takes_the_last_of_a_key) {
    expect_switches(read("SwitchName=s1 Nodes=n1 Nodes=n2\n"),
                    {{"n1", "nowhere"}, {"n2", "s1 at /etc/topology.conf:1"}});
}

TEST(TopologyConf, read_tells_file_line_and_column) {
    expect_each(error_of, {{"SwitchName=s1 Nodes\n", "/etc/topology.conf:1:15 Nodes"},
                           {"SwitchName=s1 Nodes=\"n1\n", "/etc/topology.conf:1:21 \"n1"},
                           {"SwitchName=\"\" Nodes=n1\n", "/etc/topology.conf:1:1 SwitchName"},
                           {"include \n", "/etc/topology.conf:1:1 include"}});
    expect_each(skipped_of,
                {{"SwitchName=s1 Nodes=n1\n  Swich=s2 Nodes=n2\n", "/etc/topology.conf:2:3 Swich"},
                 {"SwitchName=s1 Nodes=n[1\n", "/etc/topology.conf:1:1 n[1"}});
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
    EXPECT_TRUE(is_topology_conf("TorusName=t Dims=1x1x1\n"));
    EXPECT_TRUE(is_topology_conf("MeshName=m\nSwitchName=s1\n"));
    EXPECT_TRUE(is_topology_conf("MeshName=m\n"));
    EXPECT_FALSE(is_topology_conf("ClusterName=c\n", true));
    EXPECT_TRUE(is_topology_conf("MeshName=m\nSwitchName=s1\n", true));
    EXPECT_FALSE(is_topology_conf("MeshName=m\nhost n1 switch=s1\n"));
    EXPECT_FALSE(is_topology_conf("switch=s1\n"));
    EXPECT_FALSE(is_topology_conf("host n1 switch=s1\n"));
    EXPECT_FALSE(is_topology_conf("- topology: t\n"));
    EXPECT_TRUE(is_topology_conf("SwitchName s1\n"));
    EXPECT_FALSE(is_topology_conf("include x.map\n"));
    EXPECT_FALSE(is_topology_conf(""));
}

}  // namespace
}  // namespace hitopo
