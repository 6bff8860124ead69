// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/level.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ompi/mca/hitopo/hitopo_level.h"

namespace hitopo {
namespace {

TEST(Level, is_named_as_in_the_design) {
    EXPECT_EQ(level_name(kCluster), "cluster");
    EXPECT_EQ(level_name(kIsland), "island");
    EXPECT_EQ(level_name(kSwitch), "switch");
    EXPECT_EQ(level_name(kNode), "node");
    EXPECT_EQ(level_name(kL2Numa), "l2numa");
    EXPECT_EQ(level_name(kSocket), "socket");
    EXPECT_EQ(level_name(kCore), "core");
    EXPECT_EQ(level_name(kHwThread), "hwthread");
}

TEST(Level, types_differ_from_names_in_case_only) {
    std::set<std::string_view> types;
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        EXPECT_EQ(parse_level(level_type(level)), level);
        types.insert(level_type(level));
    }
    EXPECT_EQ(types.size(), static_cast<std::size_t>(kNumLevels));
    EXPECT_EQ(level_type(kL2Numa), "L2NUMA");
    EXPECT_EQ(level_type(kHwThread), "HWThread");
}

TEST(Level, has_the_same_numbers_in_c) {
    EXPECT_EQ(static_cast<int>(kCluster), static_cast<int>(HITOPO_LEVEL_CLUSTER));
    EXPECT_EQ(static_cast<int>(kIsland), static_cast<int>(HITOPO_LEVEL_ISLAND));
    EXPECT_EQ(static_cast<int>(kSwitch), static_cast<int>(HITOPO_LEVEL_SWITCH));
    EXPECT_EQ(static_cast<int>(kNode), static_cast<int>(HITOPO_LEVEL_NODE));
    EXPECT_EQ(static_cast<int>(kL2Numa), static_cast<int>(HITOPO_LEVEL_L2NUMA));
    EXPECT_EQ(static_cast<int>(kSocket), static_cast<int>(HITOPO_LEVEL_SOCKET));
    EXPECT_EQ(static_cast<int>(kCore), static_cast<int>(HITOPO_LEVEL_CORE));
    EXPECT_EQ(static_cast<int>(kHwThread), static_cast<int>(HITOPO_LEVEL_HWTHREAD));
    EXPECT_EQ(kNumLevels, static_cast<int>(HITOPO_NUM_LEVELS));
}

TEST(ParseLevel, takes_whole_words_in_any_case) {
    EXPECT_EQ(parse_level("Switch"), kSwitch);
    EXPECT_EQ(parse_level("HWTHREAD"), kHwThread);
    EXPECT_FALSE(parse_level("switc"));
    EXPECT_FALSE(parse_level("switches"));
    EXPECT_FALSE(parse_level(" switch"));
    EXPECT_FALSE(parse_level(""));
    EXPECT_FALSE(parse_level(std::string_view("node\0", 5)));
}

}  // namespace
}  // namespace hitopo
