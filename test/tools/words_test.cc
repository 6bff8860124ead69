// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/words.h"

#include <gtest/gtest.h>

namespace hitopo::tool {
namespace {

TEST(NumberList, runs_steps_and_single_numbers) {
    EXPECT_EQ(number_list({}), "");
    EXPECT_EQ(number_list({5}), "5");
    EXPECT_EQ(number_list({0, 1}), "0-1");
    EXPECT_EQ(number_list({0, 2}), "0,2");
    EXPECT_EQ(number_list({0, 1, 2, 3, 8, 10}), "0-3,8,10");
    EXPECT_EQ(number_list({0, 4, 8, 12}), "0-12:4");
    EXPECT_EQ(number_list({0, 2, 3, 4}), "0,2-4");
    EXPECT_EQ(number_list({0, 1, 3, 5, 7}), "0-1,3-7:2");
}

TEST(NumberList, long_lists_are_cut) {
    std::vector<int> squares;
    for (int i = 0; i < 100; ++i) {
        squares.push_back(1000 + i * i);
    }
    const std::string list = number_list(squares);
    EXPECT_LE(list.size(), kMaxListChars + 3);
    EXPECT_EQ(list.substr(0, 10), "1000-1001,");
    EXPECT_EQ(list.substr(list.size() - 3), ",..");
}

TEST(RanksPhrase, says_how_many_where_the_list_is_cut) {
    std::vector<int> squares;
    for (int i = 0; i < 100; ++i) {
        squares.push_back(1000 + i * i);
    }
    EXPECT_EQ(ranks_phrase({7}), "rank 7");
    EXPECT_EQ(ranks_phrase({0, 1, 2, 3}), "ranks 0-3");
    EXPECT_NE(ranks_phrase(squares).find(",.. (100 ranks)"), std::string::npos);
}

TEST(Counted, knows_the_plurals) {
    EXPECT_EQ(counted(1, "process"), "1 process");
    EXPECT_EQ(counted(32, "process"), "32 processes");
    EXPECT_EQ(counted(4, "switch"), "4 switches");
    EXPECT_EQ(counted(0, "node"), "0 nodes");
}

TEST(Fitted, cuts_the_first_column_and_pads_the_others) {
    const std::string text =
        fitted({{"a", "b"}, {std::string(30, 'n'), "12.3 ms"}}, 20, Charset::kAscii);
    EXPECT_EQ(text, "  a                b\n  nnnnnnn..  12.3 ms\n");
    EXPECT_EQ(fitted({{"a", "b"}, {"c", "d"}}, 20, Charset::kAscii), "  a  b\n  c  d\n");
}

TEST(Aligned, pads_by_columns_not_bytes) {
    EXPECT_EQ(aligned({{"a", "b"}, {"ü\u2500x", "c", "d"}}, "  "), "  a    b\n  ü\u2500x  c  d\n");
    EXPECT_EQ(aligned({{"a", ""}}, ""), "a\n");
    EXPECT_EQ(aligned({}, "  "), "");
}

TEST(Cut, keeps_what_fits_and_says_what_does_not) {
    EXPECT_EQ(cut("node12", 6, Charset::kUtf8), "node12");
    EXPECT_EQ(cut("node123", 6, Charset::kUtf8), "node1\u2026");
    EXPECT_EQ(cut("node123", 6, Charset::kAscii), "node..");
    EXPECT_EQ(cut("\u00fc\u00fc\u00fc\u00fc", 3, Charset::kUtf8), "\u00fc\u00fc\u2026");
}

TEST(Wrapped, breaks_between_words) {
    EXPECT_EQ(wrapped("one two  three\nfour", "  ", 9), "  one two\n  three\n  four\n");
    EXPECT_EQ(wrapped("incomprehensible a", "", 5), "incomprehensible\na\n");
    EXPECT_EQ(wrapped("", "  ", 10), "");
    EXPECT_EQ(wrapped(" \n ", "  ", 10), "");
}

TEST(EscapeXml, escapes_what_means_something) {
    EXPECT_EQ(escape_xml("<b>&\"'\\N"), "&lt;b&gt;&amp;&quot;&#39;\\N");
    EXPECT_EQ(escape_xml("ü<ü"), "ü&lt;ü");
}

}  // namespace
}  // namespace hitopo::tool
