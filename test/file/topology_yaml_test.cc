// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Real documents are read in test/file/file_topology_test.cc, through libyaml.
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

TEST(TopologyYaml, is_yaml_looks_at_the_first_line_that_tells) {
    for (const char* text : {"---\n", "# c\n\n- topology: t\n", "-\n", "{\"items\": []}", "[]",
                             "%YAML 1.2\n", "apiVersion: v1\n", "items:\n"}) {
        EXPECT_TRUE(is_yaml(text)) << text;
    }
    for (const char* text : {"", "# c\n", "host n1 switch=s1\n", "* island=i\n", "shape node:2\n",
                             "SwitchName=s Nodes=n1\n", "-x\n"}) {
        EXPECT_FALSE(is_yaml(text)) << text;
    }
}

TEST(TopologyYaml, find_answers_from_the_first_document_that_tells) {
    YamlBuilder builder;
    const auto add_instances = [&](const char* host, const char* leaf) {
        (void)builder.open(YamlValue::Kind::kMap, 1, 1);
        (void)builder.add_text("instances", 1, 1);
        (void)builder.open(YamlValue::Kind::kList, 1, 1);
        (void)builder.open(YamlValue::Kind::kMap, 2, 1);
        for (const char* text : {"id", host, "network_layers"}) {
            (void)builder.add_text(text, 2, 1);
        }
        (void)builder.open(YamlValue::Kind::kList, 2, 1);
        (void)builder.add_text(leaf, 2, 1);
        for (int i = 0; i < 4; ++i) {
            builder.close();
        }
    };
    add_instances("n1", "a");
    add_instances("n2", "b");
    add_instances("n2", "c");
    Skipped skipped;
    const auto place = find_in_topology_yaml(builder.take(), {"t.yaml", "n2", ""}, skipped);
    ASSERT_TRUE(place);
    ASSERT_TRUE(*place);
    EXPECT_EQ((*place)->levels[kSwitch]->to_string(), "b");
    EXPECT_EQ((*place)->source, "t.yaml:2");
}

}  // namespace
}  // namespace hitopo
