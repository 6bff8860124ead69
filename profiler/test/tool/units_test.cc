// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests phrases.cc.
#include <gtest/gtest.h>

#include "profiler/tool/profile/phrases.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST(Units, bytes) {
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1023), "1023 B");
    EXPECT_EQ(human_bytes(1024), "1.00 KiB");
    EXPECT_EQ(human_bytes(1536), "1.50 KiB");
    EXPECT_EQ(human_bytes(12595), "12.3 KiB");  // 12.2998
    EXPECT_EQ(human_bytes(1023 * 1024), "1023 KiB");
    EXPECT_EQ(human_bytes(1024 * 1024 - 1), "1.00 MiB");  // not 1024 KiB
    EXPECT_EQ(human_bytes(kMost), "16.0 EiB");
}

TEST(Units, counts) {
    EXPECT_EQ(human_count(99999), "99999");
    EXPECT_EQ(human_count(100000), "100 k");
    EXPECT_EQ(human_count(999499), "999 k");
    EXPECT_EQ(human_count(999500), "1.00 M");
    EXPECT_EQ(human_count(kMost), "18.4 E");
}

TEST(Units, times) {
    EXPECT_EQ(human_ns(0), "0 ns");
    EXPECT_EQ(human_ns(999), "999 ns");
    EXPECT_EQ(human_ns(1204), "1.20 us");
    EXPECT_EQ(human_ns(99960), "100 us");  // not 100.0
    EXPECT_EQ(human_ns(3400000), "3.40 ms");
    EXPECT_EQ(human_ns(4321000000000), "4321 s");
    EXPECT_EQ(human_ns(kMost), "18446744074 s");
}

}  // namespace
}  // namespace hitopo::tool
