// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a text of YAML or JSON may take of time and memory.
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"

namespace hitopo {
namespace {

#ifndef HITOPO_HAVE_LIBYAML
#define SKIP_WITHOUT_YAML() GTEST_SKIP() << "no libyaml"
#else
#define SKIP_WITHOUT_YAML() static_cast<void>(0)
#endif

std::string repeated(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

TEST(FileYaml, parse_takes_no_alias) {
    SKIP_WITHOUT_YAML();
    const auto alias = parse_yaml("- &a x\n- *a\n");
    ASSERT_FALSE(alias);
    EXPECT_EQ(alias.error().code, Errc::kMalformed);
    EXPECT_EQ(alias.error().value, "*a");
    EXPECT_EQ(alias.error().line, 2);
    EXPECT_TRUE(parse_yaml("- &a x\n"));
}

// libyaml's time goes with the square of the depth: at a million brackets, minutes.
TEST(FileYaml, parse_reads_no_deeper_than_64) {
    SKIP_WITHOUT_YAML();
    for (const char* deeper : {"[", "{a: ", "- ", "? ", "[{? "}) {
        const auto deep = parse_yaml(repeated(1000000, deeper));
        ASSERT_FALSE(deep) << deeper;
        EXPECT_EQ(deep.error().code, Errc::kTooLarge) << deeper;
        EXPECT_EQ(deep.error().value, "nesting") << deeper;
    }
    EXPECT_TRUE(parse_yaml(repeated(64, "[") + repeated(64, "]")));
    EXPECT_FALSE(parse_yaml(repeated(65, "[") + repeated(65, "]")));
}

// Likewise with the square of the %TAG lines of a document.
TEST(FileYaml, parse_takes_few_tags) {
    SKIP_WITHOUT_YAML();
    const auto tags = [](int count) {
        std::string lines;
        for (int i = 0; i < count; ++i) {
            lines += "%TAG !" + std::to_string(i) + "! x\n";
        }
        return lines + "--- a\n";
    };
    EXPECT_TRUE(parse_yaml(tags(64)));
    const auto many = parse_yaml(tags(65));
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Errc::kTooLarge);
}

TEST(FileYaml, parse_takes_at_most_four_million_values) {
    constexpr std::size_t kMax = 4000000;
    const auto many = parse_yaml("[" + repeated(kMax, "1,") + "1]");
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Errc::kTooLarge);
    EXPECT_EQ(many.error().value, "values");
    EXPECT_TRUE(parse_yaml("[" + repeated(kMax - 2, "1,") + "1]"));
}

TEST(FileYaml, parse_takes_nothing) {
    SKIP_WITHOUT_YAML();
    const Result<YamlDocuments> documents = parse_yaml("");
    ASSERT_TRUE(documents);
    EXPECT_EQ(documents->size(), 0U);
}

TEST(FileYaml, parse_takes_what_sites_write) {
    SKIP_WITHOUT_YAML();
    const std::string switches = "- topology: t\n  tree: {\"switches\": [" +
                                 repeated(20000, R"({"switch":"s","nodes":"n"},)") + "]}\n";
    const auto parsed = parse_yaml(switches);
    EXPECT_TRUE(parsed) << parsed.error().message;
    EXPECT_TRUE(parse_yaml("[" + repeated(400, "1,") + "]"));
}

}  // namespace
}  // namespace hitopo
