// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

void answer(const SlurmEnvironment& environment, Recorder& recorder) {
    Reporter reporter(&recorder.report());
    answer_slurm(environment, reporter);
    EXPECT_EQ(reporter.status(), kSuccess);
}

const SlurmEnvironment kTree = {"root.island1.leaf1.node1", "switch.switch.switch.node", "node1", "lab",
                                "7"};

TEST(Slurm, answer_fills_cluster_to_node) {
    Recorder recorder;
    answer(kTree, recorder);
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "root/island1");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf1");
    EXPECT_EQ(recorder.values[kNode]->to_string(), "node1");
    EXPECT_FALSE(recorder.values[kSocket]);
    EXPECT_EQ(recorder.flags[kNode], 0u);
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[kSwitch], "SLURM_TOPOLOGY_ADDR is root.island1.leaf1.node1");
}

TEST(Slurm, answer_is_silent_without_slurm) {
    Recorder recorder;
    answer({}, recorder);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[-1],
              "SLURM_TOPOLOGY_ADDR is not set: this process is not a task of a Slurm job");
    EXPECT_EQ(recorder.reasons[kCluster], "SLURM_CLUSTER_NAME is not set");
}

TEST(Slurm, answer_keeps_the_cluster_where_the_address_is_stale) {
    Recorder recorder;
    SlurmEnvironment environment = kTree;
    environment.node_name = "node2";
    recorder.report().host_name = "node2";
    answer(environment, recorder);
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_FALSE(recorder.values[kNode]);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kStale);
    EXPECT_EQ(recorder.error->where, "SLURM_TOPOLOGY_ADDR");
}

TEST(Slurm, answer_tells_a_malformed_address_once) {
    Recorder recorder;
    SlurmEnvironment environment = kTree;
    environment.pattern = "";
    answer(environment, recorder);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kMalformed);
    EXPECT_EQ(recorder.error->where, "SLURM_TOPOLOGY_ADDR_PATTERN");
}

TEST(Slurm, answer_says_why_a_level_is_missing) {
    Recorder recorder;
    answer({"leaf1.node1", "switch.node", "node1", "lab", "7"}, recorder);
    EXPECT_FALSE(recorder.values[kIsland]);
    EXPECT_EQ(recorder.reasons[kIsland], "SLURM_TOPOLOGY_ADDR names no island: leaf1.node1");

    Recorder dotted;
    answer({"core.sw.1.node1", "switch.switch.node", "node1", "lab", "7"}, dotted);
    EXPECT_FALSE(dotted.values[kIsland]);
    EXPECT_NE(dotted.reasons[kIsland].find("contain dots"), std::string::npos);
}

TEST(Slurm, answer_names_the_way_of_a_job_without_addresses) {
    Recorder recorder;
    answer({"", "", "node1", "lab", "7"}, recorder);
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[-1],
              "SLURM_TOPOLOGY_ADDR is not set; Slurm's topology.conf can be named in hitopo_file_path");
}

TEST(Slurm, query_reads_the_environment) {
    const std::pair<const char*, const char*> variables[] = {
        {"SLURM_TOPOLOGY_ADDR", "leaf7.node1"},
        {"SLURM_TOPOLOGY_ADDR_PATTERN", "switch.node"},
        {"SLURMD_NODENAME", "node1"},
        {"SLURM_CLUSTER_NAME", "lab"}};
    for (const auto& [name, value] : variables) {
        ::setenv(name, value, 1);
    }
    Recorder recorder;
    EXPECT_EQ(hitopo_slurm_query(&recorder.report()), kSuccess);
    for (const auto& [name, value] : variables) {
        ::unsetenv(name);
    }
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf7");
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
}

TEST(Slurm, query_passes_the_frameworks_code_on) {
    Recorder recorder;
    recorder.report().reason = [](void*, int, const char*) { return kErrorOutOfResource; };
    EXPECT_EQ(hitopo_slurm_query(&recorder.report()), kErrorOutOfResource);
}

}  // namespace
}  // namespace hitopo
