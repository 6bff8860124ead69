// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Kind = YamlValue::Kind;

// {list: [a, [], {b: c}], empty: {}, spec: [x], [k]: v, labels: {spec: y}} and a second document,
// "text".
YamlDocuments make_documents() {
    YamlBuilder builder;
    (void)builder.open(Kind::kMap, 1, 1);
    (void)builder.add_text("list", 1, 2);
    (void)builder.open(Kind::kList, 1, 8);
    (void)builder.add_text("a", 1, 9);
    (void)builder.open(Kind::kList, 1, 12);
    builder.close();
    (void)builder.open(Kind::kMap, 1, 16);
    (void)builder.add_text("b", 1, 17);
    (void)builder.add_text("c", 1, 20);
    builder.close();
    builder.close();
    (void)builder.add_text("empty", 2, 1);
    (void)builder.open(Kind::kMap, 2, 8);
    builder.close();
    (void)builder.add_text("spec", 3, 1);
    for (Kind kind : {Kind::kList, Kind::kList}) {  // the second one is a key
        (void)builder.open(kind, 3, 8);
        (void)builder.add_text("x", 3, 9);
        builder.close();
    }
    (void)builder.add_text("v", 3, 12);
    (void)builder.add_text("labels", 4, 1);
    (void)builder.open(Kind::kMap, 4, 8);
    (void)builder.add_text("spec", 4, 9);
    (void)builder.add_text("y", 4, 15);
    builder.close();
    builder.close();
    (void)builder.add_text("text", 5, 1);
    return builder.take();
}

std::string outline(const YamlValue& value) {
    std::string text(value.text);
    for (const YamlValue& item : value.items()) {
        text += '[' + outline(item) + ']';
    }
    for (const YamlValue& field : value.fields()) {
        text += '{' + field.key + ':' + outline(field) + '}';
    }
    return text;
}

TEST(YamlBuilder, lists_and_maps_hold_what_was_added_until_their_end) {
    const YamlDocuments all = make_documents();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(outline(all[0]), "{list:[a][][{b:c}]}{empty:}{:v}{labels:{spec:y}}");
    EXPECT_EQ(outline(all[1]), "text");
}

TEST(YamlValue, find_looks_at_the_keys_of_a_map) {
    const YamlDocuments all = make_documents();
    ASSERT_NE(all[0].find("empty"), nullptr);
    EXPECT_TRUE(all[0].find("empty")->is_map());
    EXPECT_TRUE(all[0].find("empty")->fields().empty());
    EXPECT_EQ(all[0].find("a"), nullptr);
    EXPECT_EQ(all[1].find("text"), nullptr);
    EXPECT_EQ(all[0].text_of("list"), "");
    EXPECT_TRUE(all[0].find("list")->is_list());
}

TEST(YamlValue, a_value_knows_where_it_stands) {
    const YamlDocuments all = make_documents();
    EXPECT_EQ(all[0].find("empty")->line, 2);
    EXPECT_EQ(all[0].find("empty")->column, 8);
}

}  // namespace
}  // namespace hitopo
