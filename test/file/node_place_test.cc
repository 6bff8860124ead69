// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// NVLink domains and Slinky's annotations, through the component.
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

// "island:switch domain clique", "-" for what is unknown.
std::string told(const std::string& text, bool* is_for_node = nullptr) {
    Recorder recorder;
    answer_file({"f.json", "", ""}, FileAccess([&](const std::string&, std::size_t) { return text; }),
                recorder.question, recorder);
    EXPECT_FALSE(recorder.error) << recorder.error->message;
    const auto level = [&](Level which) {
        return recorder.values[which] ? recorder.values[which]->to_string() : "-";
    };
    if (is_for_node != nullptr) {
        *is_for_node = recorder.side.at(0).is_for_node;
        EXPECT_EQ(recorder.side_reasons.at(0).text, "f.json:1 by nvidia.com/gpu.clique");
    }
    return level(kIsland) + ':' + level(kSwitch) + ' ' + recorder.side_value("nvlink://Domain") + ' ' +
           recorder.side_value("nvlink://Clique");
}

// JSON, so that it is read without libyaml too.
std::string node(const std::string& labels, const std::string& annotations = "") {
    return R"({"kind": "Node", "metadata": {"name": "node1", "labels": {)" + labels +
           R"(}, "annotations": {)" + annotations + "}}}";
}

const std::string kUuid = "C6A5DD39-0c2e-4d8f-a02e-e5a3ac1ee6ae";
const std::string kPlain = "c6a5dd390c2e4d8fa02ee5a3ac1ee6ae";

TEST(NodePlace, clique_of_nvidia_is_what_nvml_tells) {
    bool is_for_node = false;
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": ")" + kUuid + R"(.32766")"), &is_for_node),
              "-:- " + kPlain + ' ' + kPlain + "/32766");
    EXPECT_TRUE(is_for_node);
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "rack.7")")), "-:- rack.7 -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": ")" + kUuid + R"(.x")")), "-:- " + kUuid + ".x -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "unknown")")), "-:- - -");
}

TEST(NodePlace, domains_of_topograph_are_side_resources_beside_switches) {
    EXPECT_EQ(
        told(node(R"("fabric.topograph.run/tier-0": "s", "accelerator.topograph.run/domain": "d")")),
        "-:s d -");
    EXPECT_EQ(told(node(R"("accelerator.topograph.run/domain": "d")")), "-:d d -");
    EXPECT_EQ(told(node(R"("network.topology.nvidia.com/leaf": "s", )"
                        R"("network.topology.nvidia.com/accelerator": ")" +
                        kUuid + R"(.1")")),
              "-:s " + kPlain + ' ' + kPlain + "/1");
    EXPECT_EQ(told(node("", R"("topograph.run/cluster-id": ")" + kUuid + R"(.1")")),
              "-:- " + kPlain + ' ' + kPlain + "/1");
}

TEST(NodePlace, annotation_of_slinky_places_a_node_without_labels) {
    const std::string key = R"("topology.slinky.slurm.net/spec": )";
    EXPECT_EQ(told(node("", key + R"("topo-switch:s2,topo-block:b2")")), "-:topo-switch/s2 b2 -");
    EXPECT_EQ(told(node("", key + R"("topo-block:b2, t:sp1:s2")")), "t/sp1:t/s2 b2 -");
    EXPECT_EQ(told(node("", key + R"("Block:b1")")), "-:Block/b1 b1 -");
    EXPECT_EQ(told(node("", R"("topology.slinky.slurm.net/line": "default:s1")")), "-:default/s1 - -");
    EXPECT_EQ(told(node("", key + R"("t:unknown,topo-block:unknown")")), "-:- - -");
    EXPECT_EQ(told(node("", key + R"("t:,b,:,,block")")), "-:- - -");
    EXPECT_EQ(told(node(R"("fabric.topograph.run/tier-0": "s")", key + R"("t:s2,block:b2")")),
              "-:s b2 -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "r")", key + R"("t:s2,block:b2")")), "-:t/s2 r -");
}

TEST(NodePlace, capacity_block_of_aws_is_a_domain) {
    const auto list = [](const std::string& fields) {
        return R"([{"InstanceId": "node2", "CapacityBlockId": "cb-0"}, {"InstanceId": "node1", )" +
               fields + "}]";
    };
    EXPECT_EQ(told(list(R"("NetworkNodes": ["i", "s"], "CapacityBlockId": "cb-1")")), "i:s cb-1 -");
    EXPECT_EQ(told(list(R"("CapacityBlockId": "cb-1")")), "-:- cb-1 -");
    EXPECT_EQ(told(list(R"("NetworkNodes": ["i", "s"], "CapacityBlockId": null)")), "i:s - -");
}

}  // namespace
}  // namespace hitopo
