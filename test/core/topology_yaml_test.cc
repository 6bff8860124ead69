// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Real documents are read in test/components/file_topology_test.cc, through libyaml.
#include "ompi/mca/hitopo/core/topology_yaml.h"

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

TEST(TopologyYaml, find_names_the_file_in_the_parsers_errors) {
    const auto place = find_in_topology_yaml("text", {"t.yaml", "n1", ""}, [](const std::string& text) {
        return Error{Errc::kMalformed, text, "no", "", 7, 3};
    });
    ASSERT_FALSE(place);
    EXPECT_EQ(place.error().position(), "t.yaml:7:3");
}

TEST(TopologyYaml, find_answers_from_the_first_document_that_tells) {
    const auto instances = [](const char* host, const char* leaf) {
        using Kind = YamlValue::Kind;
        const auto text = [](const char* words) { return YamlValue{Kind::kText, words, {}, {}, 2, 1}; };
        const YamlValue layers = {Kind::kList, "", {text(leaf)}, {}, 2, 1};
        const YamlValue one = {Kind::kMap, "", {}, {{"id", text(host)}, {"network_layers", layers}},
                               2,          1};
        const YamlValue list = {Kind::kList, "", {one}, {}, 1, 1};
        return YamlValue{Kind::kMap, "", {}, {{"instances", list}}, 1, 1};
    };
    const auto place = find_in_topology_yaml("", {"t.yaml", "n2", ""}, [&](const std::string&) {
        return std::vector<YamlValue>{instances("n1", "a"), instances("n2", "b"), instances("n2", "c")};
    });
    ASSERT_TRUE(place);
    ASSERT_TRUE(*place);
    EXPECT_EQ((*place)->levels[kSwitch]->to_string(), "b");
    EXPECT_EQ((*place)->source, "t.yaml:2");
}

}  // namespace
}  // namespace hitopo
