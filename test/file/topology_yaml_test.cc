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

TEST(TopologyYaml, find_names_the_file_in_the_parsers_errors) {
    Skipped skipped;
    const auto fail = [](std::string_view text) {
        return Error{Errc::kMalformed, std::string(text), "no", "", 7, 3};
    };
    const auto place = find_in_topology_yaml("text", {"t.yaml", "n1", ""}, fail, skipped);
    ASSERT_FALSE(place);
    EXPECT_EQ(place.error().position(), "t.yaml:7:3");
}

TEST(TopologyYaml, find_answers_from_the_first_document_that_tells) {
    using Kind = YamlDocuments::Kind;
    const auto add_instances = [](YamlDocuments& documents, const char* host, const char* leaf) {
        const std::uint32_t map = documents.begin(Kind::kMap, 1, 1);
        documents.add_text("instances", 1, 1);
        const std::uint32_t list = documents.begin(Kind::kList, 1, 1);
        const std::uint32_t one = documents.begin(Kind::kMap, 2, 1);
        documents.add_text("id", 2, 1);
        documents.add_text(host, 2, 1);
        documents.add_text("network_layers", 2, 1);
        const std::uint32_t layers = documents.begin(Kind::kList, 2, 1);
        documents.add_text(leaf, 2, 1);
        for (const std::uint32_t open : {layers, one, list, map}) {
            documents.end(open);
        }
    };
    const auto parse = [&](std::string_view) {
        YamlDocuments documents;
        add_instances(documents, "n1", "a");
        add_instances(documents, "n2", "b");
        add_instances(documents, "n2", "c");
        return documents;
    };
    Skipped skipped;
    const auto place = find_in_topology_yaml("", {"t.yaml", "n2", ""}, parse, skipped);
    ASSERT_TRUE(place);
    ASSERT_TRUE(*place);
    EXPECT_EQ((*place)->levels[kSwitch]->to_string(), "b");
    EXPECT_EQ((*place)->source, "t.yaml:2");
}

}  // namespace
}  // namespace hitopo
