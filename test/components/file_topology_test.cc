// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component file over the files that others write: Slurm, Topograph, Kubernetes.
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "test/components/recorder.h"

namespace hitopo {
namespace {

struct Asked {
    std::string place;  // "island/path:switch", "-" for what is unknown
    std::string source;
    std::string error;
};

Asked told(const Recorder& recorder) {
    EXPECT_FALSE(recorder.values[kNode]);  // the file tells of the real one: no simulated node
    const auto text = [](const std::optional<RawValue>& value) {
        return value ? value->to_string() : "-";
    };
    const auto reason = recorder.reasons.find(kSwitch);
    return {text(recorder.values[kIsland]) + ':' + text(recorder.values[kSwitch]),
            reason == recorder.reasons.end() ? "" : reason->second,
            recorder.error ? recorder.error->position() + ' ' + recorder.error->value : ""};
}

Asked ask(const std::string& name, const char* host, const char* topology = "") {
    Recorder recorder;
    recorder.report().host_name = host;
    const std::string path = std::string(FIXTURES_DIR) + "/topology-files/" + name;
    const hitopo_file_settings_t settings = {path.c_str(), topology};
    EXPECT_EQ(hitopo_file_query(&settings, &recorder.report()), kSuccess);
    Asked asked = told(recorder);
    const std::size_t folder = path.size() - name.size();
    if (asked.source.compare(0, folder, path, 0, folder) == 0) {
        asked.source.erase(0, folder);
    }
    if (!asked.error.empty()) {
        asked.error.erase(0, folder);
    }
    return asked;
}

Asked ask_text(const std::string& text) {
    Recorder recorder;
    Reporter reporter(&recorder.report());
    answer_file(
        {"f.yaml", ""}, [&](const std::string&, std::size_t) { return text; }, reporter);
    return told(recorder);
}

#ifndef HITOPO_HAVE_LIBYAML
#define SKIP_WITHOUT_YAML() GTEST_SKIP() << "no libyaml"
#else
#define SKIP_WITHOUT_YAML() static_cast<void>(0)
#endif

TEST(FileTopology, query_reads_a_tree) {
    EXPECT_EQ(ask("topograph-tree.conf", "node2").place, "switch.3.1/switch.2.1:switch.1.1");
    EXPECT_EQ(ask("topograph-tree.conf", "node2").source, "topograph-tree.conf:8");
    EXPECT_EQ(ask("topograph-tree.conf", "node4.example.org").place, "switch.3.1/switch.2.2:switch.1.3");
    EXPECT_EQ(ask("topograph-tree.conf", "node9").place, "-:-");
    EXPECT_EQ(ask("topograph-tree.conf", "node9").error, "");
}

TEST(FileTopology, query_reads_blocks) {
    EXPECT_EQ(ask("topograph-block.conf", "node2").place, "-:B1");
    EXPECT_EQ(ask("topograph-block.conf", "node6").place, "-:B2");
    EXPECT_EQ(ask("topograph-block.conf", "node5").place, "-:-");
}

TEST(FileTopology, query_takes_the_default_topology_first) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("topology.yaml", "node1").place, "default/root:default/leaf1");
    EXPECT_EQ(ask("topology.yaml", "node1").source, "topology.yaml:20");
    EXPECT_EQ(ask("topology.yaml", "gpu3").place, "-:gpu/b2");
    EXPECT_EQ(ask("topology.yaml", "other").place, "-:-");
    EXPECT_EQ(ask("topograph-slurm.yaml", "node1").place, "-:topo2/block1");
    EXPECT_EQ(ask("topograph-slurm.yaml", "node5").place, "topo1/S1:topo1/S2");
}

TEST(FileTopology, query_takes_the_topology_that_is_named) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("topology.yaml", "node1", "gpu").place, "-:gpu/b1");
    EXPECT_EQ(ask("topology.yaml", "node3", "gpu").place, "-:-");
    EXPECT_EQ(ask("topology.yaml", "node3", "flat").place, "-:-");
    EXPECT_EQ(ask("topology.yaml", "node3", "cpu").error, "topology.yaml:3:1 cpu");
}

TEST(FileTopology, query_reads_labels_of_kubernetes_nodes) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node1").place, "core1/spine1:leaf1");
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node1.ec2.internal").source, "kubernetes-nodes.yaml:3");
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node2").place, "-:nvl2");
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node3").place, "-:-");
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node4").place, "-:-");
    EXPECT_EQ(ask("kubernetes-nodes.yaml", "node5").place, "-:-");
    EXPECT_EQ(ask("kubernetes-nodes.json", "node1").place, "spine1:leaf1");
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

TEST(FileTopology, answer_tells_where_yaml_breaks_the_rules) {
    SKIP_WITHOUT_YAML();
    EXPECT_EQ(ask_text("- topology: t\n  tree: [\n").error.substr(0, 10), "f.yaml:3:1");
    EXPECT_EQ(ask_text("- tree:\n").error, "f.yaml:1:3 topology");
    EXPECT_EQ(ask_text("- topology: t\n  block:\n    blocks:\n    - nodes: node1\n").error,
              "f.yaml:4:7 block");
    EXPECT_EQ(
        ask_text("- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: node[1\n").error,
        "f.yaml:4:1 node[1");
    EXPECT_EQ(ask_text("kind: Pod\n").error, "f.yaml:1:1 kind");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata: {a: b}\n").error, "f.yaml:1:1 ConfigMap");
    EXPECT_EQ(ask_text("kind: ConfigMap\ndata:\n  a.yaml: b\n").error, "f.yaml (a.yaml):3:11 b");
    EXPECT_EQ(ask_text("---\njust a text\n").error, "f.yaml:2:1 just a text");
}

TEST(FileYaml, parse_bounds_aliases_and_depth) {
    SKIP_WITHOUT_YAML();
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 8; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j) {
            laughs += last + (j < 9 ? ", " : "]\n");
        }
    }
    const auto many = parse_yaml(laughs);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Errc::kTooLarge);
    const auto deep = parse_yaml(std::string(100, '[') + std::string(100, ']'));
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().code, Errc::kTooLarge);
    const auto circle = parse_yaml("&a [*a]\n");
    ASSERT_FALSE(circle);
    EXPECT_EQ(circle.error().code, Errc::kTooLarge);
}

}  // namespace
}  // namespace hitopo
