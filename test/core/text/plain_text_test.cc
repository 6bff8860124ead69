// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {
namespace {

TEST(PlainText, a_mark_of_utf8_is_taken_off) {
    EXPECT_EQ(*plain_text(std::string("\xEF\xBB\xBFtext"), "f"), "text");
    EXPECT_EQ(*plain_text(std::string("\xEF\xBB\xBF"), "f"), "");
    for (const std::string& text : {std::string(), std::string("t"), std::string("text \xEF\xBB\xBF"),
                                    std::string("\xEF\xBBtext"), std::string("\0\0\0\0", 4)}) {
        EXPECT_EQ(*plain_text(text, "f"), text);
    }
}

TEST(PlainText, wider_characters_are_named) {
    for (const std::string& text :
         {std::string("\xFF\xFE"), std::string("\xFE\xFF\0t", 4), std::string("t\0e\0", 4),
          std::string("\0t", 2), std::string("t\0\0\0", 4), std::string("\xFF\xFE\0\0", 4)}) {
        const Result<std::string> plain = plain_text(text, "f");
        ASSERT_FALSE(plain);
        EXPECT_EQ(plain.error().code, Errc::kMalformed);
        EXPECT_EQ(plain.error().value, "UTF-16");
        EXPECT_EQ(plain.error().position(), "f:1:1");
    }
}

TEST(PlainText, an_error_goes_through) {
    EXPECT_EQ(plain_text(Error{Errc::kUnreadable, "f", "no", "", 0, 0}, "f").error().code,
              Errc::kUnreadable);
}

}  // namespace
}  // namespace hitopo
