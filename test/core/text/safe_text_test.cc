// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/safe_text.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

TEST(SafeText, as_utf8_changes_only_bytes_that_are_none) {
    const std::string good = "a\\x\n\x01 \xC3\xA9\xF0\x9F\x98\x80\xEF\xBB\xBF";
    EXPECT_EQ(as_utf8(good), good);
    EXPECT_EQ(as_utf8("caf\xE9\xC3 \xC0\xAF"), "caf\\xe9\\xc3 \\xc0\\xaf");
    EXPECT_EQ(as_utf8("\xE9\\", "\\\\"), "\\\\xe9\\");
    EXPECT_EQ(as_utf8(""), "");
}

TEST(SafeText, printable_text_is_unchanged) {
    EXPECT_EQ(safe("node-12.cluster <a&b> \\", Charset::kUtf8), "node-12.cluster <a&b> \\");
    EXPECT_EQ(safe("Jülich 節点 \U0001F5A7", Charset::kUtf8), "Jülich 節点 \U0001F5A7");
    EXPECT_EQ(safe("", Charset::kUtf8), "");
}

TEST(SafeText, control_characters_become_visible) {
    EXPECT_EQ(safe("\x1b[31m\a\n\t\x7f", Charset::kUtf8), "\\x1b[31m\\x07\\x0a\\x09\\x7f");
    EXPECT_EQ(safe(std::string_view("a\0b", 3), Charset::kUtf8), "a\\x00b");
    EXPECT_EQ(safe("\u009b31m", Charset::kUtf8), "\\x9b31m");  // C1's CSI
}

TEST(SafeText, direction_changes_and_noncharacters_become_visible) {
    EXPECT_EQ(safe("a\u202eb\u2066c\ufeff", Charset::kUtf8), "a\\u{202e}b\\u{2066}c\\u{feff}");
    EXPECT_EQ(safe("\uffff\U0001fffe", Charset::kUtf8), "\\u{ffff}\\u{1fffe}");
}

TEST(SafeText, bytes_that_are_not_utf8_become_visible) {
    EXPECT_EQ(safe("\xff", Charset::kUtf8), "\\xff");
    EXPECT_EQ(safe("\xc3", Charset::kUtf8), "\\xc3");                             // cut short
    EXPECT_EQ(safe("\xc3(", Charset::kUtf8), "\\xc3(");                           // no continuation
    EXPECT_EQ(safe("\xc0\x8a", Charset::kUtf8), "\\xc0\\x8a");                    // overlong newline
    EXPECT_EQ(safe("\xe0\x80\x8a", Charset::kUtf8), "\\xe0\\x80\\x8a");           // overlong too
    EXPECT_EQ(safe("\xed\xa0\x80", Charset::kUtf8), "\\xed\\xa0\\x80");           // surrogate
    EXPECT_EQ(safe("\xf5\x80\x80\x80", Charset::kUtf8), "\\xf5\\x80\\x80\\x80");  // above U+10FFFF
}

TEST(SafeText, ascii_keeps_only_ascii) {
    EXPECT_EQ(safe("Jü\u2500", Charset::kAscii), "J\\xfc\\u{2500}");
}

TEST(SafeText, a_line_has_the_place_the_piece_the_variable_and_the_fault) {
    EXPECT_EQ(line_of({Errc::kMalformed, "sw\x1b=a", "no level", "a.map", 2, 13, "hitopo_file_path"}),
              "    a.map:2:13: sw\\x1b=a (hitopo_file_path): no level.\n");
    EXPECT_EQ(line_of({Errc::kMalformed, "sideways", "no mode", "a_variable"}),
              "    a_variable: sideways: no mode.\n");
}

TEST(SafeText, columns_are_code_points) {
    EXPECT_EQ(num_columns("abc"), 3U);
    EXPECT_EQ(num_columns("Jülich"), 6U);
    EXPECT_EQ(num_columns(""), 0U);
}

}  // namespace
}  // namespace hitopo
