// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a text of YAML or JSON may take of time and memory, and what is read of one that breaks off.
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

#ifndef HITOPO_HAVE_LIBYAML
#define SKIP_WITHOUT_YAML() GTEST_SKIP() << "no libyaml"
#else
#define SKIP_WITHOUT_YAML() static_cast<void>(0)
#endif

// Ten times the last one, and so on: a file of 500 bytes with 10 000 000 values.
std::string million_laughs() {
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 8; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j) {
            laughs += last + (j < 9 ? ", " : "]\n");
        }
    }
    return laughs;
}

std::string repeated(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

Result<YamlDocuments> parse_counting(const std::string& text, std::size_t& num_events) {
    return parse_yaml_counting([&text] { return Result<TextSource>(source_of(text)); },
                               [](std::string_view, std::string_view) { return true; }, num_events);
}

TEST(FileYaml, parse_bounds_aliases) {
    SKIP_WITHOUT_YAML();
    const auto many = parse_text(million_laughs());
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Errc::kTooLarge);
    const auto circle = parse_text("&a [*a]\n");
    ASSERT_FALSE(circle);
    EXPECT_EQ(circle.error().code, Errc::kMalformed);
    EXPECT_EQ(circle.error().value, "*a");
    const auto anchors = parse_text(repeated(257, "- &a x\n"));
    ASSERT_FALSE(anchors);
    EXPECT_EQ(anchors.error().line, 257);
    EXPECT_TRUE(parse_text(repeated(256, "- &a x\n")));
}

// libyaml's time goes with the square of the depth: at a million brackets, minutes.
TEST(FileYaml, parse_reads_no_deeper_than_64) {
    SKIP_WITHOUT_YAML();
    for (const char* deeper : {"[", "{a: ", "- ", "? ", "[{? "}) {
        std::size_t num_events = 0;
        const auto deep = parse_counting(repeated(1000000, deeper), num_events);
        ASSERT_FALSE(deep) << deeper;
        EXPECT_EQ(deep.error().code, Errc::kTooLarge) << deeper;
        EXPECT_EQ(deep.error().value, "nesting") << deeper;
        EXPECT_LE(num_events, 2U + 65 * 2) << deeper;
    }
    EXPECT_TRUE(parse_text(repeated(64, "[") + repeated(64, "]")));
    EXPECT_FALSE(parse_text(repeated(65, "[") + repeated(65, "]")));
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
    EXPECT_TRUE(parse_text(tags(64)));
    std::size_t num_events = 0;
    const auto many = parse_counting(tags(65), num_events);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, Errc::kTooLarge);
    EXPECT_EQ(num_events, 0U);
}

TEST(FileYaml, parse_takes_at_most_8_times_the_files_memory) {
    SKIP_WITHOUT_YAML();
    const std::string dense = "- topology: t\n  block:\n    blocks:\n";
    for (const std::string& text :
         {"[" + repeated(100000, "a,") + "]", repeated(60000, "- \n"), repeated(40000, "--- \n"),
          repeated(40000, "a: b\n"), repeated(20000, "n: &n x\n"), million_laughs(),
          repeated(200000, "\n"), '"' + repeated(100000, "\\L") + '"',
          "kind: ConfigMap\ndata:\n  a.yaml: |\n" + repeated(40000, "    - ab\n"),
          dense + repeated(10000, "    - {x: ab, nodes: n1}\n"), repeated(200000, "["),
          "items:\n" + repeated(10000, "- {kind: Node, metadata: {labels: {a: b}}}\n")}) {
        const CountedMemory memory;
        const TopologyQuestion question = {"f.yaml", "node1", ""};
        (void)is_yaml(text);
        Skipped skipped;
        (void)find_in_topology_yaml(text, question, parse_text, skipped);
        EXPECT_LE(memory.peak_bytes(), 8 * text.size() + 65536) << text.substr(0, 60);
    }
}

TEST(FileYaml, parse_keeps_whole_entries_of_a_text_that_breaks_off) {
    SKIP_WITHOUT_YAML();
    const auto entries = [](const std::string& text) {
        const auto parsed = parse_text(text);
        std::string all;
        for (std::size_t i = 0; parsed && i < parsed->size(); ++i) {
            for (const YamlField& field : (*parsed)[i].fields()) {
                for (const YamlValue& item : field.value.items()) {
                    all += std::string(item.text_of("id")) + ' ';
                }
            }
        }
        return all;
    };
    EXPECT_EQ(entries("{a: [{id: 1}, {id: 2}], b"), "1 2 ");
    EXPECT_EQ(entries("{a: [{id: 1}, {id: 2"), "1 ");
    EXPECT_EQ(entries("{a: [{id: 1}, [2, "), "1 ");
    EXPECT_EQ(entries("{a: [{id: 1}], b: [2, "), "1 ");
    EXPECT_EQ(entries("{a: [{id: 1"), "");
    EXPECT_EQ(entries("{a: [{id: 1}]}\n---\n{a: ["), "1 ");
    EXPECT_EQ(entries("{? {x: [{id: 1}], y"), "");  // what is a key has no value
    EXPECT_EQ(entries("{a: 1, ? [{id: 1}, {"), "");
}

TEST(FileYaml, parse_takes_nothing) {
    SKIP_WITHOUT_YAML();
    const Result<YamlDocuments> documents = parse_text(std::string_view());
    ASSERT_TRUE(documents);
    EXPECT_EQ(documents->size(), 0U);
}

TEST(FileYaml, parse_takes_what_sites_write) {
    SKIP_WITHOUT_YAML();
    const std::string switches = "- topology: t\n  tree: {\"switches\": [" +
                                 repeated(20000, R"({"switch":"s","nodes":"n"},)") + "]}\n";
    const auto parsed = parse_text(switches);
    EXPECT_TRUE(parsed) << parsed.error().message;
    EXPECT_TRUE(parse_text("[" + repeated(400, "1,") + "]"));
}

}  // namespace
}  // namespace hitopo
