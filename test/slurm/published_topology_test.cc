// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/published_topology.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "test/support/random_cases.h"

namespace hitopo {
namespace {

const std::string kPrinted =
    "slurm: error: a warning of the library\n"
    "topology:\n"
    "SwitchName=core Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=leaf[1-2]\n"
    "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
    "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
    "end of topology\n";

TEST(PublishedTopology, make_keeps_what_the_job_needs) {
    const std::string published = make_published_topology(kPrinted, "", "n[2,9]");
    EXPECT_EQ(published, "SwitchName=core Switches=leaf1\nSwitchName=leaf1 Nodes=n2\n");
    const auto tree = read_published_topology(published);
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->find("n2")->levels[kIsland]->to_string(), "core");
    EXPECT_FALSE(tree->find("n3"));
}

TEST(PublishedTopology, make_says_why_not) {
    EXPECT_EQ(make_published_topology("", "no answer within 5 ms", ""),
              "#slurmctld gave no topology: no answer within 5 ms");
    EXPECT_EQ(make_published_topology("error: one\nerror: two\n\n", "no answer", ""),
              "#slurmctld gave no topology: no answer: error: two");
    EXPECT_EQ(make_published_topology("fatal: no slurm.conf\n", "", "n1"),
              "#slurmctld gave no topology: fatal: no slurm.conf");
    EXPECT_EQ(make_published_topology("topology:\nSwitchName=s Nodes=n1\n", "", "n1"),
              "#slurmctld gave no topology: SwitchName=s Nodes=n1");
    EXPECT_EQ(make_published_topology("topology:\nend of topology\n", "", "n1"),
              "#slurmctld gave no topology: it has no switch for the job's nodes");
    EXPECT_EQ(make_published_topology(kPrinted, "", "n[1"),
              "#slurmctld gave no topology: a bracket contains numbers and ranges only, and ends with "
              "']'; write it as in [1-4,7]: n[1");
    EXPECT_EQ(
        make_published_topology("topology:\nSwitchName\nend of topology\n", "", "n1").substr(0, 46),
        "#slurmctld gave no topology: this is not KEY=V");
}

// Slurm prints what has no nodes yet, or no more (power saving), since 25.05.
TEST(PublishedTopology, make_skips_what_has_no_nodes) {
    const auto published = [](const std::string& lines) {
        return make_published_topology("topology:\n" + lines + "end of topology\n", "", "n[1-2]");
    };
    EXPECT_EQ(published("BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n"
                        "BlockName=b2 BlockIndex=1 BlockSize=4\n"),
              "BlockName=b1 Nodes=n[1-2]\n");
    EXPECT_EQ(published("SwitchName=top Level=1 Switches=lf[1-2]\nSwitchName=lf1 Level=0 Nodes=n[1-2]\n"
                        "SwitchName=lf2 Level=0 LinkSpeed=1\n"),
              "SwitchName=top Switches=lf1\nSwitchName=lf1 Nodes=n[1-2]\n");
    const auto torus = read_published_topology(published("TorusName=podA Dims=2x2x2 Nodes=n[1-8]\n"));
    ASSERT_TRUE(torus);
    EXPECT_EQ(torus->find("n2")->levels[kSwitch]->to_string(), "podA");
}

// As topology.conf has them, without its quotes; of blocks as topology.yaml has them, over several
// lines.
TEST(PublishedTopology, make_takes_lists_with_blanks) {
    const std::string printed =
        "topology:\nSwitchName=lf1 Level=0 LinkSpeed=1 Nodes=c1, c2,c3 c4\n"
        "SwitchName=lf2 Level=0 LinkSpeed=1 Nodes=c5,c[6-7],c8\n"
        "SwitchName=top Level=1 LinkSpeed=1 Nodes=c[1-8] Switches=lf1, lf2\n"
        "BlockName=b1 BlockIndex=0 Nodes=d1,\nd2 BlockSize=2\nend of topology\n";
    EXPECT_EQ(make_published_topology(printed, "", "c[2,4,8],d2"),
              "SwitchName=lf1 Nodes=c[2,4]\nSwitchName=lf2 Nodes=c8\n"
              "SwitchName=top Switches=lf[1-2]\nBlockName=b1 Nodes=d2\n");
}

TEST(PublishedTopology, all_hear_of_kinds_that_are_not_known) {
    const std::string published = make_published_topology(
        "topology:\nMeshName=m1 Nodes=n1\nSwitchName=s Nodes=n1\nMeshName=m2\nend of topology\n", "",
        "n1");
    EXPECT_EQ(published, "SwitchName=s Nodes=n1\nMeshName=\n");
    EXPECT_EQ(read_published_topology(published)->skipped().as_one()->value, "MeshName");
    EXPECT_EQ(make_published_topology("topology:\nMeshName=m1\nend of topology\n", "", "n1"),
              "MeshName=\n");
}

// What slurmctld of any version prints between whole lines costs itself; a text that is cut has no end,
// and is refused whole.
TEST(PublishedTopology, make_takes_odd_forms) {
    const std::vector<std::string> whole = {
        "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=lf[1-2]",
        "SwitchName=lf1 Nodes=n[1-2]", "SwitchName=lf2 Level=0 Nodes=n[3-4]",
        "BlockName=b1 BlockIndex=0 Nodes=n5"};
    const std::vector<std::string> odd = {"",
                                          " \t",
                                          "SwitchName=lf9 Level=0",
                                          "BlockName=b9 BlockIndex=1",
                                          "MeshName=m Nodes=n[1-5]",
                                          "SwitchName=cut Nodes=n[1-",
                                          "SwitchName",
                                          "SwitchName=above Switches=gone",
                                          "SwitchName=\xff Nodes=x",
                                          "# caf\xe9",
                                          "TorusName=t1 Dims=1x1x1",
                                          "BlockSizes=2"};
    std::mt19937 random(30);
    for (int i = 0; i < random_cases(300); ++i) {
        const char* line_end = random() % 3 == 0 ? "\r\n" : "\n";
        std::string printed = "slurm: error: caf\xe9\ntopology:\n";
        for (const std::string& line : whole) {
            for (std::size_t count = random() % 3; count > 0; --count) {
                printed += odd[random() % odd.size()] + line_end;
            }
            printed += line + line_end;
        }
        printed += "end of topology\n";
        const auto tree = read_published_topology(make_published_topology(printed, "", "n[1-5]"));
        ASSERT_TRUE(tree) << printed << tree.error().message;
        for (const auto& [host, leaf] : {std::pair("n2", "lf1"), {"n3", "lf2"}, {"n5", "b1"}}) {
            const auto place = tree->find(host);
            ASSERT_TRUE(place) << host << printed;
            EXPECT_EQ(place->levels[kSwitch]->to_string(), leaf) << printed;
        }
        printed.resize(random() % printed.size());
        EXPECT_EQ(make_published_topology(printed, "", "n[1-5]").front(), '#') << printed;
    }
}

TEST(PublishedTopology, make_is_bounded) {
    std::string printed = "topology:\n";
    for (int i = 0; i < 4000; ++i) {
        printed += "SwitchName=a-long-name-of-switch-" + std::to_string(i) + " Nodes=n" +
                   std::to_string(i) + '\n';
    }
    printed += "end of topology\n";
    EXPECT_EQ(make_published_topology(printed, "", "n[0-3999]").substr(0, 74),
              "#slurmctld gave no topology: the topology of the job's nodes has more than");
    EXPECT_EQ(make_published_topology(printed, "", "n7"),
              "SwitchName=a-long-name-of-switch-7 Nodes=n7\n");
}

// 4 bytes are the longest of a character of UTF-8.
TEST(PublishedTopology, a_refusal_is_bounded_too) {
    const std::string endless(std::size_t{1} << 20, 'y');
    EXPECT_LT(make_published_topology("", endless, "n1").size(), 4 * 1000 + 20);
    EXPECT_LT(make_published_topology(endless, "no answer", "n1").size(), 4 * 1000 + 20);
    EXPECT_LT(make_published_refusal(std::string(std::size_t{1} << 20, '\x01')).size(), 4 * 1000 + 20);
    EXPECT_EQ(make_published_refusal("no").substr(0, 3), "#no");
}

TEST(PublishedTopology, read_gives_the_reason) {
    const auto tree = read_published_topology("#no answer: [x]");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().message, "no answer: [x]");
}

}  // namespace
}  // namespace hitopo
