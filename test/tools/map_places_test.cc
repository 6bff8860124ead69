// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The places of hosts by each kind of file that `hitopo map` reads, as the component file of HiTopo
// 0.2.0 answered them, and where it was wrong ("audit-"), as they are.
// Tests map/places.cc, documents.cc, document_places.cc and fabric_places.cc.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "test/tools/map_cases.h"

namespace hitopo::map {
namespace {

tool::MapOptions with_topology(const std::string& name) {
    tool::MapOptions options;
    options.topology = name;
    return options;
}

tool::MapOptions with_labels(const std::string& keys) {
    tool::MapOptions options;
    options.labels = keys;
    return options;
}

// By host, as place_in has them. And the map says the same.
void expect_places(const std::string& name, const std::map<std::string, std::string>& places,
                   const tool::MapOptions& options = {}) {
    for (const auto& [host, place] : places) {
        EXPECT_EQ(place_in(fixture(name), host, options), place) << name << ", " << host;
    }
}

TEST(MapPlaces, topology_conf) {
    expect_places("topograph-tree.conf", {{"node2", "switch.3.1/switch.2.1:switch.1.1"},
                                          {"node4.example.org", "switch.3.1/switch.2.2:switch.1.3"},
                                          {"node9", "-:-"}});
    expect_places("topograph-block.conf", {{"node2", "-:B1"}, {"node6", "-:B2"}, {"node5", "-:-"}});
}

TEST(MapPlaces, topology_yaml_by_the_default_topology_first) {
    SKIP_WITHOUT_YAML();
    expect_places("topology.yaml",
                  {{"node1", "default/root:default/leaf1"}, {"gpu3", "-:gpu/b2"}, {"other", "-:-"}});
    expect_places("topograph-slurm.yaml", {{"node1", "-:topo2/block1"}, {"node5", "topo1/S1:topo1/S2"}});
    // Slurm's other words for true; blanks and commas in lists; nodes beside children.
    expect_places("audit-default-yes.yaml", {{"c1", "ib/top:ib/lf1"}, {"c4", "ib/top:ib/lf2"}});
    expect_places("audit-spaceblock.yaml",
                  {{"c1", "-:nv/b1"}, {"c2", "-:nv/b1"}, {"c3", "-:nv/b2"}, {"c4", "-:nv/b2"}});
    expect_places("audit-trailcomma.yaml", {{"c2", "t/top:t/lf1"}, {"c3", "t/top:t/lf2"}});
    expect_places("audit-bothyaml.yaml", {{"c1", "-:a/lf1"}, {"c2", "-:a/lf1"}, {"c3", "-:a/lf2"}});
    expect_places(
        "audit-multi.yaml",
        {{"c1", "ib/root:ib/lf1"}, {"d2", "-:nv/b1"}, {"e2", "-:rg/r1"}, {"t17", "-:tr/pod1"}});
}

TEST(MapPlaces, topology_yaml_by_the_topology_that_is_named) {
    SKIP_WITHOUT_YAML();
    expect_places("topology.yaml", {{"node1", "-:gpu/b1"}, {"node3", "-:-"}}, with_topology("gpu"));
    expect_places("topology.yaml", {{"node3", "-:-"}}, with_topology("flat"));
}

TEST(MapPlaces, labels_of_kubernetes_nodes) {
    SKIP_WITHOUT_YAML();
    expect_places("kubernetes-nodes.yaml", {{"node1", "core1/spine1:leaf1"},
                                            {"node2", "-:nvl2"},
                                            {"node3", "-:-"},
                                            {"node4", "-:-"},
                                            {"node5", "-:-"}});
    expect_places("kubernetes-nodes-families.yaml",
                  {{"topograph-1", "world/super-a/core-a/spine-a:leaf-a"},
                   {"topograph-flat", "-:leaf-b"},
                   {"topograph-no-leaf", "spine-b:-"},
                   {"nvlink-1", "nvl-2:nvl-2.1"},
                   {"nvlink-2", "-:nvl-3"},
                   {"old-1", "d1/s1:b1"},
                   {"ip-10-0-0-1", "nn-spine/nn-aggregate:nn-leaf"},
                   {"ip-10-0-0-2", "nn-spine/nn-group/nn-aggregate:nn-leaf"},
                   {"gke-1", "block-1:subblock-1"},
                   {"gke-2", "-:-"},
                   {"own-1", "-:-"},
                   {"own-2", "-:leaf-c"}});
    expect_places("kubernetes-nodes-families.yaml",
                  {{"own-1", "h1/w1:r1"}, {"own-2", "w2:-"}, {"topograph-1", "-:-"}},
                  with_labels(" example.org/rack, example.org/row,,example.org/hall"));
    expect_places("kubernetes-nodes-unknown.yaml", {{"node1", "-:r1"}}, with_labels("example.org/rack"));
}

TEST(MapPlaces, json_is_read_without_yaml_cpp) {
    expect_places("kubernetes-nodes.json", {{"node1", "spine1:leaf1"}});
    expect_places("topograph-instances.json", {{"node1", "core-a/spine-a:leaf-a"}, {"node2", "-:-"}});
    expect_places("audit-graph.json",
                  {{"m1", "c/sp1:lf1"}, {"m2", "c/sp1:lf2"}, {"m3", "-:-"}, {"m4", "-:-"}});
    expect_places(
        "aws-instances.json",
        {{"i-1111111111example", "nn-1111111111example/nn-2222222222example:nn-3333333333example"},
         {"i-2222222222example.us-west-2.compute.internal",
          "nn-1111111111example/nn-2222222222example:nn-4444444444example"},
         {"i-3333333333example", "-:-"},
         {"ip-10-0-0-5", "-:-"}});
    expect_places("google-instances.json", {{"new-1", "block-a:sub-a"},
                                            {"old-1", "block-a:sub-b"},
                                            {"old-2", "block-b:sub-c"},
                                            {"block-only", "block-b:-"},
                                            {"no-place", "-:-"},
                                            {"no-status", "-:-"},
                                            {"odd-place", "-:-"}});
}

TEST(MapPlaces, config_maps) {
    SKIP_WITHOUT_YAML();
    expect_places("kubernetes-configmap.yaml", {{"node6", "sw1:sw3"}});
    expect_places("kubernetes-configmap-yaml.yaml", {{"node1", "-:t/b7"}});
    expect_places("audit-cms.yaml", {{"m1", "-:lf1"}, {"m4", "-:lf2"}});
}

// As clients and --query leave them.
TEST(MapPlaces, lists_that_have_lost_their_kinds) {
    SKIP_WITHOUT_YAML();
    const std::string labels =
        "metadata: {name: node1, labels: {fabric.topograph.run/tier-0: s, fabric.topograph.run/tier-1: "
        "i}}";
    const std::string aws = R"({"InstanceId": "node1", "NetworkNodes": ["i", "s"]})";
    const std::string other = R"({"InstanceId": "node2", "NetworkNodes": ["i", "t"]})";
    const std::string google = R"("name": "node1", "resourceStatus": {"physicalHost": "/i/s/h"})";
    for (const std::string& text :
         {"kind: NodeList\nitems: [{" + labels + "}]", "items: [{" + labels + "}]",
          "kind: List\nitems: [{kind: Pod}, {kind: Node, " + labels + "}]",
          "items:\n- kind: Node\n  " + labels, "kind: Node\n" + labels,
          std::string("kind: ConfigMapList\nitems: [{data: {topology.conf: \"SwitchName=i "
                      "Switches=s\\nSwitchName=s "
                      "Nodes=node1\"}}]"),
          "[" + other + ", " + aws + "]",
          "{\"Instances\": [" + other + "]}\n{\"Instances\": [" + aws + "]}",
          R"({"kind": "compute#instanceList", "items": [{)" + google + "}]}", "{" + google + "}",
          "---\nkind: compute#instance\nname: node2\n---\n{kind: compute#instance, " + google + "}",
          std::string(R"([{"name": "node1", "resourceStatus": {"physicalHostTopology": )"
                      R"({"block": "i", "subblock": "s"}}}])")}) {
        EXPECT_EQ(place_in(text, "node1"), "i:s") << text;
        EXPECT_EQ(converted(text).status, 0) << text;
    }
}

TEST(MapPlaces, odd_instances_have_none) {
    SKIP_WITHOUT_YAML();
    for (const char* text :
         {"{\"Instances\": 1}", "{\"Instances\": [1, {\"InstanceId\": \"node1\", \"NetworkNodes\": 7}]}",
          "{\"Instances\": [{\"InstanceId\": [], \"NetworkNodes\": [[], {}]}]}",
          "[{\"name\": \"node1\", \"resourceStatus\": []}]",
          "Instances: [{InstanceId: node1, NetworkNodes: [null, ~]}]",
          "[{\"name\": \"node1\", \"resourceStatus\": {\"physicalHost\": \"///\"}}]",
          "[{\"name\": \"node1\", \"resourceStatus\": {\"physicalHostTopology\": [1]}}]"}) {
        EXPECT_EQ(place_in(text, "node1"), "-:-") << text;
        EXPECT_EQ(converted(text).status, 2) << text;
    }
}

// Nodes that share a word for what is not known share no switch.
TEST(MapPlaces, placeholders_are_no_switches) {
    SKIP_WITHOUT_YAML();
    for (const char* text :
         {"SwitchName=no-topology Nodes=node1\n", "SwitchName=fabA.unknown Nodes=node1\n",
          "BlockName=unknown Nodes=node1\n",
          "- topology: t\n  tree: {switches: [{switch: no-topology, nodes: node1}]}\n",
          "kind: Node\nmetadata: {name: node1, labels: {fabric.topograph.run/tier-0: unknown}}\n",
          "instances: [{id: node1, network_layers: [no-topology]}]\n",
          "Instances: [{InstanceId: node1, NetworkNodes: [unknown, fabA.unknown]}]\n",
          "- {name: node1, resourceStatus: {physicalHost: /unknown/unknown/h1}}\n"}) {
        EXPECT_EQ(place_in(text, "node1"), "-:-") << text;
    }
    EXPECT_EQ(place_in("Instances: [{InstanceId: node1, NetworkNodes: [nn-1, unknown]}]\n", "node1"),
              "nn-1:-");
    EXPECT_EQ(place_in("- topology: t\n  tree: {switches: [{switch: top, children: 'unknown'}, "
                       "{switch: unknown, nodes: node1}]}\n",
                       "node1"),
              "t/top:-");
    tool::MapOptions odd;
    odd.unknown = "odd";
    EXPECT_EQ(place_in("SwitchName=odd Nodes=node1\nSwitchName=unknown Nodes=node2\n", "node1", odd),
              "-:-");
    EXPECT_EQ(place_in("SwitchName=odd Nodes=node1\nSwitchName=unknown Nodes=node2\n", "node2", odd),
              "-:unknown");
}

TEST(MapPlaces, a_node_has_the_name_of_its_label_too) {
    const std::string text =
        R"({"items": [{"kind": "Node", "metadata": {"name": "other", "labels": {"kubernetes.io/hostname": "Node1.lab", )"
        R"("fabric.topograph.run/tier-0": "s"}}}]})";
    EXPECT_EQ(place_in(text, "node1"), "-:s");
    EXPECT_EQ(place_in(text, "other"), "-:s");
}

// Slurm 26.05's.
TEST(MapPlaces, toruses) {
    SKIP_WITHOUT_YAML();
    const std::string text =
        "- topology: pods\n  torus3d:\n    toruses:\n    - name: podA\n      dims: {x: 2, y: 2, z: 2}\n"
        "      nodes: node[2-9]\n    - name: podB\n      regions:\n      - nodes: node[10-19]\n"
        "        anchor: {x: 0, y: 0, z: 0}\n      - nodes: node1\n";
    EXPECT_EQ(place_in(text, "node1"), "-:pods/podB");
    EXPECT_EQ(converted(text).status, 0);
}

TEST(MapPlaces, aliases_mean_what_they_name) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(place_in("- topology: t\n  tree:\n    switches: &s\n    - {switch: s1, nodes: node1}\n"
                       "- topology: u\n  cluster_default: true\n  tree:\n    switches: *s\n",
                       "node1"),
              "-:u/s1");
}

// ---- NVLink ----

// "island:switch domain clique", "-" for what is unknown.
std::string told(const std::string& text) {
    const Answers answers = answers_of_map(converted(text).map + "* cluster=c\n", {"node1"});
    const auto side = [&](const std::string& type) {
        const auto found = answers.front().second.side.find(type);
        return found == answers.front().second.side.end() ? "-" : found->second.to_string();
    };
    return place_in(text, "node1") + ' ' + side("nvlink://Domain") + ' ' + side("nvlink://Clique");
}

std::string node(const std::string& labels, const std::string& annotations = "") {
    return R"({"kind": "Node", "metadata": {"name": "node1", "labels": {)" + labels +
           R"(}, "annotations": {)" + annotations + "}}}";
}

const std::string kUuid = "C6A5DD39-0c2e-4d8f-a02e-e5a3ac1ee6ae";
const std::string kPlain = "c6a5dd390c2e4d8fa02ee5a3ac1ee6ae";

TEST(MapPlaces, clique_of_nvidia_is_what_nvml_answers) {
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": ")" + kUuid + R"(.32766")")),
              "-:- " + kPlain + ' ' + kPlain + "/32766");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "rack.7")")), "-:- rack.7 -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": ")" + kUuid + R"(.x")")), "-:- " + kUuid + ".x -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "unknown")")), "-:- - -");
    EXPECT_EQ(told(node(R"("nvidia.com/gpu.clique": "12")")), "-:- 12 -");
}

TEST(MapPlaces, domains_of_topograph_are_beside_switches) {
    EXPECT_EQ(
        told(node(R"("fabric.topograph.run/tier-0": "s", "accelerator.topograph.run/domain": "d")")),
        "-:s d -");
    EXPECT_EQ(told(node(R"("accelerator.topograph.run/domain": "d")")), "-:d d -");
    EXPECT_EQ(
        told(node(
            R"("network.topology.nvidia.com/leaf": "s", "network.topology.nvidia.com/accelerator": ")" +
            kUuid + R"(.1")")),
        "-:s " + kPlain + ' ' + kPlain + "/1");
    EXPECT_EQ(told(node("", R"("topograph.run/cluster-id": ")" + kUuid + R"(.1")")),
              "-:- " + kPlain + ' ' + kPlain + "/1");
    EXPECT_EQ(told(R"({"instances": [{"id": "node1", "network_layers": ["s"], "labels": )"
                   R"({"accelerator.topograph.run/domain": "d"}}]})"),
              "-:s d -");
}

TEST(MapPlaces, annotation_of_slinky_places_a_node_without_labels) {
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

TEST(MapPlaces, capacity_block_of_aws_is_a_domain) {
    const auto list = [](const std::string& fields) {
        return R"([{"InstanceId": "node2", "CapacityBlockId": "cb-0"}, {"InstanceId": "node1", )" +
               fields + "}]";
    };
    EXPECT_EQ(told(list(R"("NetworkNodes": ["i", "s"], "CapacityBlockId": "cb-1")")), "i:s cb-1 -");
    EXPECT_EQ(told(list(R"("CapacityBlockId": "cb-1")")), "-:- cb-1 -");
    EXPECT_EQ(told(list(R"("NetworkNodes": ["i", "s"], "CapacityBlockId": null)")), "i:s - -");
}

}  // namespace
}  // namespace hitopo::map
