// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component file over the files that others write: Slurm, Topograph, Kubernetes.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

struct Asked {
    std::string place;   // "island/path:switch", "-" for what is unknown
    std::string source;  // of the switch
    std::string error;
    std::string island_source = {};
};

Asked told(const Recorder& recorder) {
    EXPECT_FALSE(recorder.values[kNode]);  // the file tells of the real one: no simulated node
    const auto text = [](const std::optional<RawValue>& value) {
        return value ? value->to_string() : "-";
    };
    const auto reason = [&](Level level) { return recorder.reasons[level]; };
    return {text(recorder.values[kIsland]) + ':' + text(recorder.values[kSwitch]), reason(kSwitch),
            recorder.error && recorder.error->code != Errc::kAbsent
                ? recorder.error->position() + ' ' + recorder.error->value
                : "",
            reason(kIsland)};
}

// Without the path of the fixtures.
void shorten(std::string& text, const std::string& folder) {
    if (text.compare(0, folder.size(), folder) == 0) {
        text.erase(0, folder.size());
    }
}

Asked ask(const std::string& name, const char* host, const char* topology = "",
          const char* labels = "") {
    Recorder recorder;
    recorder.host_is(host);
    const std::string path = std::string(FIXTURES_DIR) + "/topology-files/" + name;
    const hitopo_file_settings_t settings = {path.c_str(), topology, labels, nullptr};
    EXPECT_EQ(hitopo_file_query(&settings, nullptr, &recorder.question, &recorder), kSuccess);
    Asked asked = told(recorder);
    const std::string folder = path.substr(0, path.size() - name.size());
    for (std::string* text : {&asked.source, &asked.island_source, &asked.error}) {
        shorten(*text, folder);
    }
    return asked;
}

// By host.
void expect_places(const std::string& name, const std::map<std::string, std::string>& places,
                   const char* topology = "", const char* labels = "") {
    for (const auto& [host, place] : places) {
        EXPECT_EQ(ask(name, host.c_str(), topology, labels).place, place) << host;
    }
}

Asked ask_text(const std::string& text) {
    Recorder recorder;
    answer_file({"f.yaml", "", ""}, FileAccess([&](const std::string&, std::size_t) { return text; }),
                recorder.question, recorder);
    return told(recorder);
}

#ifndef HITOPO_HAVE_LIBYAML
#define SKIP_WITHOUT_YAML() GTEST_SKIP() << "no libyaml"
#else
#define SKIP_WITHOUT_YAML() static_cast<void>(0)
#endif

TEST(FileTopology, query_reads_a_tree) {
    expect_places("topograph-tree.conf", {{"node2", "switch.3.1/switch.2.1:switch.1.1"},
                                          {"node4.example.org", "switch.3.1/switch.2.2:switch.1.3"},
                                          {"node9", "-:-"}});
    EXPECT_EQ(ask("topograph-tree.conf", "node2").source, "topograph-tree.conf:8");
    EXPECT_EQ(ask("topograph-tree.conf", "node9").error, "");
}

TEST(FileTopology, query_reads_blocks) {
    expect_places("topograph-block.conf", {{"node2", "-:B1"}, {"node6", "-:B2"}, {"node5", "-:-"}});
}

TEST(FileTopology, query_takes_the_default_topology_first) {
    SKIP_WITHOUT_YAML();
    expect_places("topology.yaml",
                  {{"node1", "default/root:default/leaf1"}, {"gpu3", "-:gpu/b2"}, {"other", "-:-"}});
    expect_places("topograph-slurm.yaml", {{"node1", "-:topo2/block1"}, {"node5", "topo1/S1:topo1/S2"}});
    EXPECT_EQ(ask("topology.yaml", "node1").source, "topology.yaml:20");
}

TEST(FileTopology, query_takes_the_topology_that_is_named) {
    SKIP_WITHOUT_YAML();
    expect_places("topology.yaml", {{"node1", "-:gpu/b1"}, {"node3", "-:-"}}, "gpu");
    expect_places("topology.yaml", {{"node3", "-:-"}}, "flat");
    EXPECT_EQ(ask("topology.yaml", "node3", "cpu").error, "topology.yaml:3:1 cpu");
}

TEST(FileTopology, query_reads_labels_of_kubernetes_nodes) {
    SKIP_WITHOUT_YAML();
    const std::string file = "kubernetes-nodes.yaml";
    expect_places(file, {{"node1", "core1/spine1:leaf1"}, {"node2", "-:nvl2"}});
    expect_places(file, {{"node3", "-:-"}, {"node4", "-:-"}, {"node5", "-:-"}});
    EXPECT_EQ(ask(file, "node1.ec2.internal").source, file + ":3 by network.topology.nvidia.com/leaf");
    EXPECT_EQ(ask(file, "node1").island_source, file +
                                                    ":3 by network.topology.nvidia.com/core, with "
                                                    "network.topology.nvidia.com/spine in its path");
    expect_places("kubernetes-nodes.json", {{"node1", "spine1:leaf1"}});
}

TEST(FileTopology, query_knows_the_families_of_labels) {
    SKIP_WITHOUT_YAML();
    const std::string file = "kubernetes-nodes-families.yaml";
    expect_places(file, {{"topograph-1", "world/super-a/core-a/spine-a:leaf-a"},
                         {"topograph-flat", "-:leaf-b"},
                         {"topograph-no-leaf", "spine-b:-"},
                         {"nvlink-1", "nvl-2:nvl-2.1"},
                         {"nvlink-2", "-:nvl-3"},
                         {"old-1", "d1/s1:b1"},
                         {"ip-10-0-0-1", "nn-spine/nn-aggregate:nn-leaf"},
                         {"ip-10-0-0-2", "nn-spine/nn-group/nn-aggregate:nn-leaf"},
                         {"gke-1", "block-1:subblock-1"},
                         {"gke-2", "-:-"}});
    EXPECT_EQ(ask(file, "topograph-1").source, file + ":5 by fabric.topograph.run/tier-0");
    EXPECT_EQ(ask(file, "topograph-1").island_source,
              file +
                  ":5 by fabric.topograph.run/tier-10, with fabric.topograph.run/tier-3, "
                  "fabric.topograph.run/tier-2, fabric.topograph.run/tier-1 in its path");
    EXPECT_EQ(ask(file, "ip-10-0-0-2").source, file + ":57 by topology.k8s.aws/network-node-layer-4");
    EXPECT_EQ(ask(file, "gke-1").island_source, file + ":66 by cloud.google.com/gce-topology-block");
    EXPECT_EQ(ask(file, "gke-2").error, "");
}

TEST(FileTopology, query_reads_the_labels_that_are_named) {
    SKIP_WITHOUT_YAML();
    const std::string file = "kubernetes-nodes-families.yaml";
    const char* keys = " example.org/rack, example.org/row,,example.org/hall";
    expect_places(file, {{"own-1", "-:-"}, {"own-2", "-:leaf-c"}});
    expect_places(file, {{"own-1", "h1/w1:r1"}, {"own-2", "w2:-"}, {"topograph-1", "-:-"}}, "", keys);
    EXPECT_EQ(ask(file, "own-1", "", keys).island_source,
              file + ":79 by example.org/hall, with example.org/row in its path");
}

TEST(FileTopology, query_says_once_that_it_knows_no_label_of_a_file) {
    SKIP_WITHOUT_YAML();
    const std::string file = "kubernetes-nodes-unknown.yaml";
    for (const char* host : {"node1", "node2", "other"}) {
        EXPECT_EQ(ask(file, host).error, file + ":9:7 kubernetes.io/os");
        EXPECT_EQ(ask(file, host, "", "example.org/row").error, file + ":9:7 kubernetes.io/os");
    }
    EXPECT_EQ(ask(file, "node1", "", "example.org/rack").place, "-:r1");
    EXPECT_EQ(ask(file, "node2", "", "example.org/rack").error, "");
    EXPECT_EQ(ask_text("kind: Node\nmetadata: {name: node1}\n").error, "");
    EXPECT_EQ(ask_text("kind: Node\nmetadata: {name: n, labels: {a: b}}\n").error, "f.yaml:2:29 a");
    EXPECT_EQ(ask_text("kind: Node\nmetadata: {name: n, labels: {a: b}}\n---\n"
                       "kind: Node\nmetadata: {name: node1, labels: {fabric.topograph.run/tier-0: s}}\n")
                  .place,
              "-:s");
}

TEST(FileTopology, query_reads_a_config_map) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("kubernetes-configmap.yaml", "node6").place, "sw1:sw3");
    EXPECT_EQ(ask("kubernetes-configmap.yaml", "node6").source,
              "kubernetes-configmap.yaml (topology.conf):3");
    EXPECT_EQ(ask("kubernetes-configmap-yaml.yaml", "node1").place, "-:t/b7");
}

TEST(FileTopology, query_reads_instances) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("topograph-instances.json", "node1").place, "core-a/spine-a:leaf-a");
    EXPECT_EQ(ask("topograph-instances.json", "node2").place, "-:-");
}

TEST(FileTopology, query_reads_instances_of_aws) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("aws-instances.json", "i-1111111111example").place,
              "nn-1111111111example/nn-2222222222example:nn-3333333333example");
    EXPECT_EQ(ask("aws-instances.json", "i-2222222222example.us-west-2.compute.internal").place,
              "nn-1111111111example/nn-2222222222example:nn-4444444444example");
    EXPECT_EQ(ask("aws-instances.json", "i-3333333333example").place, "-:-");
    EXPECT_EQ(ask("aws-instances.json", "ip-10-0-0-5").place, "-:-");
}

TEST(FileTopology, query_reads_instances_of_google) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("google-instances.json", "new-1").place, "block-a:sub-a");
    EXPECT_EQ(ask("google-instances.json", "old-1").place, "block-a:sub-b");
    EXPECT_EQ(ask("google-instances.json", "old-2").place, "block-b:sub-c");
    EXPECT_EQ(ask("google-instances.json", "block-only").place, "block-b:-");
    for (const char* host : {"no-place", "no-status", "odd-place", "absent"}) {
        EXPECT_EQ(ask("google-instances.json", host).place, "-:-") << host;
    }
}

// As clients and --query leave them.
TEST(FileTopology, answer_reads_lists_that_have_lost_their_kinds) {
    SKIP_WITHOUT_YAML();
    const std::string labels =
        "metadata: {name: node1, labels: {fabric.topograph.run/tier-0: s, fabric.topograph.run/tier-1: "
        "i}}";
    const std::string aws = R"({"InstanceId": "node1", "NetworkNodes": ["i", "s"]})";
    const std::string other = R"({"InstanceId": "node2", "NetworkNodes": ["i", "t"]})";
    const std::string google = R"("name": "node1", "resourceStatus": {"physicalHost": "/i/s/h"})";
    const std::string block = R"({"name": "node1", "resourceStatus": {"physicalHostTopology": )"
                              R"({"block": "i", "subblock": "s"}}})";
    for (const std::string& text :
         {"kind: NodeList\nitems: [{" + labels + "}]", "items: [{" + labels + "}]",
          "kind: List\nitems: [{kind: Pod}, {kind: Node, " + labels + "}]",
          std::string("kind: ConfigMapList\nitems: [{data: {topology.conf: \"SwitchName=i "
                      "Switches=s\\nSwitchName=s "
                      "Nodes=node1\"}}]"),
          "[" + other + ", " + aws + "]",
          "{\"Instances\": [" + other + "]}\n{\"Instances\": [" + aws + "]}",
          R"({"kind": "compute#instanceList", "items": [{)" + google + "}]}", "{" + google + "}",
          "---\nkind: compute#instance\nname: node2\n---\n{kind: compute#instance, " + google + "}",
          "[" + block + "]"}) {
        EXPECT_EQ(ask_text(text).place, "i:s") << text;
        EXPECT_EQ(ask_text(text).error, "") << text;
    }
}

TEST(FileTopology, answer_takes_odd_instances) {
    SKIP_WITHOUT_YAML();
    for (const char* text :
         {"{\"Instances\": 1}", "{\"Instances\": [1, {\"InstanceId\": \"node1\", \"NetworkNodes\": 7}]}",
          "{\"Instances\": [{\"InstanceId\": [], \"NetworkNodes\": [[], {}]}]}",
          "[{\"name\": \"node1\", \"resourceStatus\": []}]",
          "Instances: [{InstanceId: node1, NetworkNodes: [null, ~]}]",
          "{\"Instances\": [{\"InstanceId\": \"node1\", \"NetworkNodes\": [null, null]}]}",
          "[{\"name\": \"node1\", \"resourceStatus\": {\"physicalHost\": \"///\"}}]",
          "[{\"name\": \"node1\", \"resourceStatus\": {\"physicalHostTopology\": [1]}}]"}) {
        EXPECT_EQ(ask_text(text).place, "-:-") << text;
        EXPECT_EQ(ask_text(text).error, "") << text;
    }
}

TEST(FileTopology, answer_tells_where_yaml_breaks_the_rules) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask_text("- topology: t\n  tree: [\n").error.substr(0, 10), "f.yaml:3:1");
    EXPECT_EQ(ask_text("- tree:\n").error, "f.yaml:1:3 topology");
    EXPECT_EQ(ask_text("- topology: t\n  block:\n    blocks:\n    - nodes: node1\n").error,
              "f.yaml:4:7 block");
    EXPECT_EQ(
        ask_text("- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: node[1\n").error,
        "f.yaml:4:1 node[1");
    EXPECT_EQ(ask_text("kind: Pod\n").error, "f.yaml:1:1 kind: Pod");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata: {a: b}\n").error, "f.yaml:1:1 ConfigMap");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata:\n  a.yaml: b\n").error, "f.yaml (a.yaml):3:11 b");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata:\n  a.yaml:\n  - b\n").error,
              "f.yaml (a.yaml):4:3 a.yaml");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata:\n  a.yaml: ''\n").error, "f.yaml (a.yaml):3:11 a.yaml");
    EXPECT_EQ(ask_text("---\njust a text\n").error, "f.yaml:2:1 just a text");
}

const std::string kTree =
    "- topology: t\n  tree:\n    switches:\n    - {switch: top, children: 's[1-2]'}\n"
    "    - {switch: s1, nodes: node1}\n";

TEST(FileTopology, answer_takes_what_has_no_nodes) {
    SKIP_WITHOUT_YAML();
    for (const char* empty :
         {"    - switch: s2\n", "    - {switch: s2, nodes: ''}\n", "    - {switch: s2, nodes: }\n",
          "    - {switch: s2}\n  block: {blocks: [{block: b}]}\n",
          "    - {switch: s2}\n  torus3d: {toruses: [{name: t, dims: {x: 1}}]}\n",
          "    - {switch: s2}\n  ring:\n- topology: u\n  flat: true\n---\n---\n"}) {
        EXPECT_EQ(ask_text(kTree + empty).place, "t/top:t/s1") << empty;
        EXPECT_EQ(ask_text(kTree + empty).error, "") << empty;
    }
}

// Topograph's, before it knows anything.
TEST(FileTopology, answer_takes_an_empty_config_map) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata:\n  topology.conf: '# nothing yet'\n").error, "");
}

// Whatever reader: nodes that share a word for what is not known share no switch.
TEST(FileTopology, answer_takes_no_placeholder_for_a_switch) {
    SKIP_WITHOUT_YAML();
    for (const char* text :
         {"SwitchName=no-topology Nodes=node1\n", "SwitchName=fabA.unknown Nodes=node1\n",
          "BlockName=unknown Nodes=node1\n",
          "- topology: t\n  tree: {switches: [{switch: no-topology, nodes: node1}]}\n",
          "kind: Node\nmetadata: {name: node1, labels: {fabric.topograph.run/tier-0: unknown}}\n",
          "instances: [{id: node1, network_layers: [no-topology]}]\n",
          "Instances: [{InstanceId: node1, NetworkNodes: [unknown, fabA.unknown]}]\n",
          "- {name: node1, resourceStatus: {physicalHost: /unknown/unknown/h1}}\n"}) {
        EXPECT_EQ(ask_text(text).place, "-:-") << text;
        EXPECT_EQ(ask_text(text).error, "") << text;
    }
    EXPECT_EQ(ask_text("Instances: [{InstanceId: node1, NetworkNodes: [nn-1, unknown]}]\n").place,
              "nn-1:-");
    EXPECT_EQ(ask_text("- topology: t\n  tree: {switches: [{switch: top, children: 'unknown'}, "
                       "{switch: unknown, nodes: node1}]}\n")
                  .place,
              "t/top:-");
}

TEST(FileTopology, answer_finds_a_node_by_its_label) {
    SKIP_WITHOUT_YAML();
    const std::string text =
        "items:\n- kind: Node\n  metadata: {name: other, labels: {kubernetes.io/hostname: Node1.lab, "
        "fabric.topograph.run/tier-0: s}}\n";
    EXPECT_EQ(ask_text(text).place, "-:s");
}

// Slurm 26.05's.
TEST(FileTopology, answer_reads_toruses) {
    SKIP_WITHOUT_YAML();
    const std::string text =
        "- topology: pods\n  torus3d:\n    toruses:\n    - name: podA\n      dims: {x: 2, y: 2, z: 2}\n"
        "      nodes: node[2-9]\n    - name: podB\n      regions:\n      - nodes: node[10-19]\n"
        "        anchor: {x: 0, y: 0, z: 0}\n      - nodes: node1\n";
    EXPECT_EQ(ask_text(text).place, "-:pods/podB");
    EXPECT_EQ(ask_text(text).source, "f.yaml:7");
    EXPECT_EQ(ask_text(text).error, "");
}

TEST(FileTopology, answer_leaves_out_kinds_that_are_not_known) {
    SKIP_WITHOUT_YAML();
    const std::string mesh = "- topology: m\n  mesh: {meshes: [{mesh: a, nodes: node1}]}\n";
    EXPECT_EQ(ask_text(mesh).error, "f.yaml:2:9 mesh");
    EXPECT_EQ(ask_text(mesh).place, "-:-");
    EXPECT_EQ(ask_text(kTree + mesh + mesh).place, "t/top:t/s1");
    EXPECT_EQ(ask_text(kTree + mesh + mesh).error, "f.yaml:7:9 mesh");
    EXPECT_EQ(ask_text("- tree:\n" + kTree + "    - {switch: s2}\n").place, "t/top:t/s1");
    EXPECT_EQ(ask_text("- tree:\n" + kTree + "    - {switch: s2}\n").error, "f.yaml:1:3 topology");
    EXPECT_EQ(ask_text("- topology: t\n  comment: mine\n  block: {blocks: [{block: b, nodes: node1}]}\n")
                  .error,
              "");
    const std::string node =
        "kind: Node\n  metadata: {name: node1, labels: {fabric.topograph.run/tier-0: s}}\n";
    EXPECT_EQ(ask_text("items:\n- kind: Pod\n- " + node).place, "-:s");
    EXPECT_EQ(ask_text("items:\n- kind: Pod\n- " + node).error, "");
    EXPECT_EQ(ask_text("items:\n- kind: Pod\n- kind: Job\n").error, "f.yaml:2:3 kind: Pod, kind: Job");
    EXPECT_EQ(ask_text("kind: PodList\nitems:\n- metadata: {name: node1}\n").error,
              "f.yaml:3:3 kind: Pod");
    const std::string map = "kind: ConfigMap\ndata:\n  topology.conf: SwitchName=s Nodes=node1\n";
    EXPECT_EQ(ask_text("kind: Namespace\n---\n" + map).place, "-:s");
    EXPECT_EQ(ask_text("kind: Namespace\n---\n" + map).error, "f.yaml:1:1 kind: Namespace");
    EXPECT_EQ(
        ask_text("kind: ConfigMap\ndata:\n  a.yaml: ''\n  topology.conf: SwitchName=s Nodes=node1\n")
            .place,
        "-:s");
}

TEST(FileYaml, parse_keeps_what_aliases_mean) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask_text("- topology: t\n  tree:\n    switches: &s\n    - {switch: s1, nodes: node1}\n"
                       "- topology: u\n  cluster_default: true\n  tree:\n    switches: *s\n")
                  .place,
              "-:u/s1");
}

}  // namespace
}  // namespace hitopo
