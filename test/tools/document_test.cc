// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/document.h"

#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

// The two-islands document after `change`.
template <class Change>
Result<TableDocument> changed_table(Change change) {
    Json document = json_fixture("two-islands.json");
    change(document);
    return parse_table(document);
}

TEST(Document, table_is_read) {
    const TableDocument table = table_fixture("partly-known");
    EXPECT_EQ(table.version, "0.1.0");
    EXPECT_EQ(table.communicator, "MPI_COMM_WORLD");
    ASSERT_EQ(table.ranks.size(), 8U);
    EXPECT_EQ(table.levels[kSwitch].known, Known::kSome);
    EXPECT_EQ(table.levels[kNode].components, (std::vector<std::string>{"slurm", "hostname"}));
    EXPECT_EQ(table.ranks[5].address[kCore], -1);
    EXPECT_EQ(table.ranks[5].names[kIsland], std::nullopt);
    EXPECT_EQ(table.ranks[5].names[kNode], "n12");
    EXPECT_EQ(table.ranks[4].cpus, "2-3");
    EXPECT_EQ(table.warnings.size(), 1U);
}

TEST(Document, text_that_is_no_json_is_an_error) {
    for (const char* text : {"", "{", "nul", "[1,]", "\"\xff\"", "{}x"}) {
        EXPECT_FALSE(parse_json(text).is_ok()) << text;
    }
}

TEST(Document, nesting_is_bounded) {
    EXPECT_FALSE(parse_json(std::string(100000, '[') + std::string(100000, ']')).is_ok());
    EXPECT_TRUE(parse_json(std::string(20, '[') + std::string(20, ']')).is_ok());
    EXPECT_TRUE(parse_json('"' + std::string(100, '[') + R"(\"[{\\")").is_ok());
    EXPECT_FALSE(parse_json(R"(["\"[",)" + std::string(40, '[') + std::string(41, ']')).is_ok());
}

TEST(Document, other_json_is_an_error_that_says_what_is_missing) {
    for (const char* text : {"null", "[]", "3", "\"x\"", "{}"}) {
        const Result<TableDocument> table = parse_table(*parse_json(text));
        ASSERT_FALSE(table.is_ok()) << text;
        EXPECT_EQ(table.error().value, "member \"schema\" is missing");
        EXPECT_FALSE(parse_process(*parse_json(text)).is_ok()) << text;
        EXPECT_FALSE(parse_framework(*parse_json(text)).is_ok()) << text;
    }
}

TEST(Document, members_of_wrong_type_or_range_are_errors) {
    const std::vector<std::pair<const char*, Json>> changes = {
        {"/schema", 2},
        {"/ranks/3/address/2", -2},
        {"/ranks/3/address/2", 1e300},
        {"/ranks/3/address/2", ~0ULL},
        {"/ranks/3/address", {0, 0, 0, 0, 0, 0, 0}},
        {"/ranks/3/names/2", 7},
        {"/ranks/3/cpus", 7},
        {"/levels/0/known", "maybe"},
        {"/warnings", {1}}};
    for (const auto& change : changes) {
        const auto set = [&](Json& table) { table[Json::json_pointer(change.first)] = change.second; };
        EXPECT_FALSE(changed_table(set).is_ok()) << change.first << ' ' << change.second;
    }
    EXPECT_FALSE(changed_table([](Json& table) { table["levels"].erase(7); }).is_ok());
    EXPECT_TRUE(changed_table([](Json& table) { table["later"] = {{"x", 1}}; }).is_ok());
}

TEST(Document, what_may_be_null_may_be_missing) {
    Json framework = json_fixture("framework.json");
    framework["variables"][0].erase("value");
    EXPECT_EQ(parse_framework(framework)->variables[0].value, std::nullopt);
    EXPECT_EQ(changed_table([](Json& table) { table["ranks"][0].erase("cpus"); })->ranks[0].cpus,
              std::nullopt);
}

TEST(Document, priorities_may_be_negative) {
    Json framework = json_fixture("framework.json");
    framework["components"][0]["priority"] = -5;
    EXPECT_EQ(parse_framework(framework)->components[0].priority, -5);
}

TEST(PrettyJson, is_the_same_document) {
    for (const char* name : {"two-islands.json", "hostile-names.json", "framework.json"}) {
        const Json document = json_fixture(name);
        EXPECT_EQ(*parse_json(pretty_json(document)), document) << name;
    }
}

TEST(PrettyJson, is_harmless_ascii) {
    for (const char c : pretty_json(json_fixture("hostile-names.json"))) {
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << static_cast<int>(c);
    }
}

}  // namespace
}  // namespace hitopo::tool
