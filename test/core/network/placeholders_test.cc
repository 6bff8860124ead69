// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/placeholders.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

TEST(Placeholders, has_the_usual_words) {
    const Placeholders usual;
    for (const char* name :
         {"no-topology", "unknown", "Unknown", "NO-TOPOLOGY", "fabA.unknown", "ib1.Unknown"}) {
        EXPECT_TRUE(usual.has(name)) << name;
    }
    for (const char* name :
         {"", "leaf1", "unknown1", "my-unknown", "no-topology.leaf", "unknown.fabA"}) {
        EXPECT_FALSE(usual.has(name)) << name;
    }
}

TEST(Placeholders, has_what_is_listed) {
    const Placeholders own(" none , x*y,*,");
    EXPECT_TRUE(own.has("anything"));
    const Placeholders few("none,x*y");
    for (const char* name : {"none", "xy", "xyy", "X-Y"}) {
        EXPECT_TRUE(few.has(name)) << name;
    }
    for (const char* name : {"", "x", "y", "xyz", "unknown"}) {
        EXPECT_FALSE(few.has(name)) << name;
    }
    EXPECT_FALSE(Placeholders("").has(""));
    EXPECT_FALSE(Placeholders("xx*xx").has("xxx"));
}

}  // namespace
}  // namespace hitopo
