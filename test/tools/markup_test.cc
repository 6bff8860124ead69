// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/markup.h"

#include <gtest/gtest.h>

namespace hitopo::tool {
namespace {

TEST(SafeMarkup, escapes_xml_and_backslashes) {
    EXPECT_EQ(safe_markup("<b>&\"'\\N", 99), "&lt;b&gt;&amp;&quot;&#39;\\\\N");
}

TEST(SafeMarkup, shortens_what_people_see) {
    EXPECT_EQ(safe_markup("abcde", 5), "abcde");
    EXPECT_EQ(safe_markup("abcdef", 5), "abcde\u2026");
    EXPECT_EQ(safe_markup("ü<ü<ü", 3), "ü&lt;ü\u2026");
}

}  // namespace
}  // namespace hitopo::tool
