// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/fixed_text.h"

#include <gtest/gtest.h>

#include <climits>

namespace hitopo::profile {
namespace {

TEST(FixedText, has_numbers_and_strings_as_JSON_has_them) {
    char room[100];
    FixedText text(room, sizeof room);
    text << "a" << 0 << "," << std::int64_t{INT64_MIN} << ",";
    text.put_string("b\"\\\n\xc3\xa9 c", 7) << ",";
    text.put_hex(0xabcdef);
    EXPECT_EQ(text.text(), "a0,-9223372036854775808,\"b????? \",0000000000abcdef");
}

TEST(FixedText, leaves_out_as_a_whole_what_does_not_fit) {
    char room[8];
    FixedText text(room, sizeof room);
    EXPECT_TRUE(text.put_whole(2, [&] { text << "abc"; }));
    EXPECT_FALSE(text.put_whole(2, [&] { text << "defg"; }));
    EXPECT_FALSE(text.put_whole(0, [&] {
        text << "d"
             << "efghi"
             << "j";
    }));
    EXPECT_FALSE(text.is_full());
    EXPECT_TRUE(text.put_whole(0, [&] { text << "12345"; }));
    EXPECT_EQ(text.text(), "abc12345");
    text << "6";
    EXPECT_TRUE(text.is_full());
}

}  // namespace
}  // namespace hitopo::profile
