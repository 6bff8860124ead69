// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Kind = YamlDocuments::Kind;

// {list: [a, [], {b: c}], empty: {}, again: *list} and a second document, "text".
YamlDocuments make_documents() {
    YamlDocuments all;
    const std::uint32_t map = all.begin(Kind::kMap, 1, 1);
    all.add_text("list", 1, 2);
    const std::uint32_t list = all.begin(Kind::kList, 1, 8);
    all.add_text("a", 1, 9);
    all.end(all.begin(Kind::kList, 1, 12));
    const std::uint32_t inner = all.begin(Kind::kMap, 1, 16);
    all.add_text("b", 1, 17);
    all.add_text("c", 1, 20);
    all.end(inner);
    all.end(list);
    all.add_text("empty", 2, 1);
    all.end(all.begin(Kind::kMap, 2, 8));
    all.add_text("again", 3, 1);
    all.add_alias(list, 3, 8);
    all.end(map);
    all.add_text("text", 5, 1);
    return all;
}

std::string outline(const YamlValue& value) {
    std::string text(value.text());
    for (const YamlValue& item : value.items()) {
        text += '[' + outline(item) + ']';
    }
    for (const auto& [key, field] : value.fields()) {
        text.append("{").append(key).append(":") += outline(field) + '}';
    }
    return text;
}

TEST(YamlValue, lists_and_maps_hold_what_was_added_until_their_end) {
    const YamlDocuments all = make_documents();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(outline(all[0]), "{list:[a][][{b:c}]}{empty:}{again:[a][][{b:c}]}");
    EXPECT_EQ(outline(all[1]), "text");
    EXPECT_EQ(all.num_values(), 13U);
}

TEST(YamlValue, find_looks_at_the_keys_of_a_map) {
    const YamlDocuments all = make_documents();
    ASSERT_TRUE(all[0].find("empty"));
    EXPECT_TRUE(all[0].find("empty")->is_map());
    EXPECT_TRUE(all[0].find("empty")->fields().empty());
    EXPECT_FALSE(all[0].find("a"));
    EXPECT_FALSE(all[1].find("text"));
    EXPECT_EQ(all[0].text_of("list"), "");
    EXPECT_TRUE(all[0].find("again")->is_list());
}

TEST(YamlValue, a_value_knows_where_it_stands) {
    const YamlDocuments all = make_documents();
    EXPECT_EQ(all[0].find("empty")->line(), 2);
    EXPECT_EQ(all[0].find("empty")->column(), 8);
    EXPECT_EQ(all[0].find("again")->line(), 1);  // where what it means stands
}

}  // namespace
}  // namespace hitopo
