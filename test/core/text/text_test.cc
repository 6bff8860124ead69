// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/text.h"

#include <gtest/gtest.h>

#include <string>

namespace hitopo {
namespace {

using Fields = std::vector<std::string_view>;

TEST(EqualsIgnoringCase, folds_ascii_letters_only) {
    EXPECT_TRUE(equals_ignoring_case("L3Cache", "l3cACHE"));
    EXPECT_TRUE(equals_ignoring_case("", ""));
    EXPECT_FALSE(equals_ignoring_case("L3", "L3Cache"));
    EXPECT_FALSE(equals_ignoring_case("L3Cache", "L3"));
    EXPECT_FALSE(equals_ignoring_case("@", "`"));        // 0x40 and 0x60 differ by the case bit
    EXPECT_FALSE(equals_ignoring_case("\xc4", "\xe4"));  // so do these in Latin-1
}

TEST(InLowerCase, folds_ascii_letters_only) { EXPECT_EQ(in_lower_case("Az@[\xc4"), "az@[\xc4"); }

TEST(PlainUuid, has_32_hexadecimal_digits_in_lower_case) {
    EXPECT_TRUE(is_plain_uuid("0123456789abcdef0123456789abcdef"));
    EXPECT_FALSE(is_plain_uuid("0123456789abcdef0123456789abcde"));
    EXPECT_FALSE(is_plain_uuid("0123456789abcdef0123456789abcdef0"));
    EXPECT_FALSE(is_plain_uuid("0123456789abcdef0123456789abcdeF"));
    EXPECT_FALSE(is_plain_uuid("0123456789abcdef0123456789abcdeg"));
}

TEST(Trim, drops_blanks_at_both_ends_only) {
    EXPECT_EQ(trim(" \t a b\t\r"), "a b");
    EXPECT_EQ(trim(" \t\r"), "");
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim("\n"), "\n");  // a line's end is the caller's business
}

TEST(Split, keeps_empty_fields) {
    EXPECT_EQ(split("core..mid2.leafC.n5", '.'), (Fields{"core", "", "mid2", "leafC", "n5"}));
    EXPECT_EQ(split(".", '.'), (Fields{"", ""}));
    EXPECT_EQ(split("", '.'), (Fields{""}));
    EXPECT_EQ(split("n1", '.'), (Fields{"n1"}));
}

TEST(Split, joined_again_is_the_input) {
    for (const std::string text : {"", ".", "..", "a", "a.b", ".a.", "a..b.", "a b"}) {
        std::string joined;
        for (const std::string_view field : split(text, '.')) {
            joined += '.';
            joined += field;
        }
        EXPECT_EQ(joined.substr(1), text);
    }
}

TEST(ParseNumber, takes_digits_only) {
    EXPECT_EQ(parse_number("0"), 0u);
    EXPECT_EQ(parse_number("007"), 7u);
    EXPECT_EQ(parse_number("18446744073709551615"), UINT64_MAX);
    for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x1", "1.0", "1e3", "one"}) {
        EXPECT_FALSE(parse_number(text)) << text;
    }
}

TEST(ParseNumber, refuses_what_does_not_fit) {
    EXPECT_FALSE(parse_number("18446744073709551616"));
    EXPECT_FALSE(parse_number(std::string(1000, '9')));
}

TEST(Text, hexadecimal_numbers_have_16_digits) {
    EXPECT_EQ(to_hex(0), "0000000000000000");
    EXPECT_EQ(to_hex(0x53ef1a3c9b6f0d21), "53ef1a3c9b6f0d21");
    EXPECT_EQ(to_hex(255), "00000000000000ff");
    EXPECT_EQ(to_hex(UINT64_MAX), "ffffffffffffffff");
}

}  // namespace
}  // namespace hitopo
