// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/markup.h"

#include <gtest/gtest.h>

namespace hitopo::tool {
namespace {

TEST(EscapeXml, escapes_what_means_something) {
    EXPECT_EQ(escape_xml("<b>&\"'\\N"), "&lt;b&gt;&amp;&quot;&#39;\\N");
    EXPECT_EQ(escape_xml("ü<ü"), "ü&lt;ü");
}

}  // namespace
}  // namespace hitopo::tool
