// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/file/map_file.h"

namespace hitopo {
namespace {

// "COLUMN:TEXT|.." with '!' behind a quoted word's column.
std::string words(std::string_view line) {
    const Result<std::vector<MapWord>> words = split_map_words(line);
    if (!words) {
        return "error at " + std::to_string(words.error().column);
    }
    std::string text;
    for (const MapWord& word : *words) {
        text += std::to_string(word.column) + (word.is_quoted ? "!" : ":") + word.text + '|';
    }
    return text;
}

TEST(MapWords, split_at_spaces_and_tabs) {
    EXPECT_EQ(words("host n1\t a=b  "), "1:host|6:n1|10:a=b|");
    EXPECT_EQ(words("  x\r"), "3:x|");
    EXPECT_EQ(words(""), "");
    EXPECT_EQ(words(" \t "), "");
}

TEST(MapWords, split_stops_at_comments) {
    EXPECT_EQ(words("# all"), "");
    EXPECT_EQ(words("a # b"), "1:a|");
    EXPECT_EQ(words("a#b c"), "1:a#b|5:c|");
}

TEST(MapWords, split_keeps_what_is_quoted) {
    EXPECT_EQ(words("a=\"b c # d\" e"), "1!a=b c # d|13:e|");
    EXPECT_EQ(words(R"("a\"b\\c")"), R"(1!a"b\c|)");
    EXPECT_EQ(words("\"\""), "1!|");
}

TEST(MapWords, error_has_column) {
    EXPECT_EQ(words("a b=\"c d"), "error at 5");
    EXPECT_EQ(words("a \"b\\\""), "error at 3");
    EXPECT_EQ(words(std::string_view("ab\0c", 4)), "error at 3");
}

TEST(MapWords, column_of_points_into_plain_words_only) {
    EXPECT_EQ((MapWord{"abc", 5, false}).column_of(2), 7);
    EXPECT_EQ((MapWord{"abc", 5, true}).column_of(2), 5);
}

}  // namespace
}  // namespace hitopo
