// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace hitopo {
namespace {

// DESIGN's order, outermost first; then types that the catalogue lacks.
const std::vector<std::string> kOrder = {
    "Machine", "L2NUMA",  "Group0",  "Group1",   "Group10", "Package",  "Die",     "NUMANode",
    "L5Cache", "L4Cache", "L3Cache", "L3iCache", "L2Cache", "L2iCache", "L1Cache", "L1iCache",
    "Core",    "PU",      "Board",   "Groupie",  "Tile2",   "Tile10"};

TEST(Catalogue, orders_types_outermost_first_however_they_come) {
    std::vector<std::string> types = kOrder;
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        std::shuffle(types.begin(), types.end(), random);
        std::sort(types.begin(), types.end(), is_outer_type);
        EXPECT_EQ(types, kOrder);
    }
}

TEST(Catalogue, ignores_case_and_knows_only_whole_words) {
    EXPECT_EQ(catalogue_rank("l3cache"), catalogue_rank("L3Cache"));
    EXPECT_EQ(catalogue_rank("GROUP1"), catalogue_rank("Group1"));
    EXPECT_EQ(catalogue_rank("Group"), catalogue_rank("Group0"));
    EXPECT_TRUE(is_catalogued("numanode"));
    for (const char* unknown : {"", "L3", "Cor", "Cores", "Group-1", "Group1x", "Group1000", "PU 0"}) {
        EXPECT_FALSE(is_catalogued(unknown)) << unknown;
    }
}

TEST(Catalogue, group_depth_is_the_number_behind_the_word) {
    EXPECT_EQ(group_depth("Group"), 0);
    EXPECT_EQ(group_depth("Group3"), 3);
    EXPECT_FALSE(group_depth("Package").has_value());
    EXPECT_FALSE(group_depth("Grou").has_value());
    EXPECT_FALSE(group_depth("Group99999999999999999999").has_value());
}

}  // namespace
}  // namespace hitopo
