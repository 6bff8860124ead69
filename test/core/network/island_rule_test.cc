// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/network/uplinks.h"

namespace hitopo {
namespace {

// "1,2 3": leaves 1 and 2 are one island, leaf 3 another.
std::string leaves_of(const std::vector<Island>& islands) {
    std::string text;
    for (const Island& island : islands) {
        text += text.empty() ? "" : " ";
        for (const std::uint64_t leaf : island.leaves) {
            text += (leaf == island.leaves.front() ? "" : ",") + std::to_string(leaf);
        }
    }
    return text;
}

TEST(IslandRule, a_leaf_is_in_the_island_of_the_nearest_superset) {
    const std::vector<std::pair<std::vector<LeafSwitch>, const char*>> cases = {
        {{{1, {10, 11}}, {2, {10, 11}}, {3, {20, 21}}, {4, {20, 21}}}, "1,2 3,4"},  // equal sets
        {{{1, {10, 11, 12}}, {2, {10, 12}}, {3, {11}}}, "1,2,3"},                   // lost links
        {{{1, {10}}, {2, {10, 11}}, {3, {10, 11, 12}}}, "1,2,3"},  // lost more than another
        {{{1, {10, 11}}, {2, {10, 11, 12}}, {3, {10, 11, 20, 21, 22}}}, "1,2 3"},  // the nearest
        {{{1, {10, 11}}, {2, {10, 11, 12}}, {3, {10, 11, 13}}}, "1 2 3"},          // two as near
        {{{1, {10, 11}}, {2, {11, 12}}}, "1 2"},                                   // no subset
        {{{2, {}}, {1, {}}, {3, {10}}}, "1 2 3"},                                  // nothing in common
        {{{1, {2, 3}}, {2, {1, 3}}, {3, {1, 2}}}, "1 2 3"},                        // a mesh
        {{}, ""}};
    for (const auto& [leaves, islands] : cases) {
        EXPECT_EQ(leaves_of(derive_islands(leaves)), islands) << islands;
    }
    EXPECT_EQ(derive_islands(cases[0].first)[1].l2_switches, (std::vector<std::uint64_t>{20, 21}));
    EXPECT_EQ(derive_islands(cases[1].first)[0].l2_switches, (std::vector<std::uint64_t>{10, 11, 12}));
}

std::vector<LeafSwitch> random_leaves(std::mt19937& random) {
    std::vector<LeafSwitch> leaves;
    const std::uint64_t num_leaves = random() % 12;
    for (std::uint64_t guid = 1; guid <= num_leaves; ++guid) {
        std::set<std::uint64_t> links;
        for (unsigned i = random() % 5; i > 0; --i) {
            links.insert(100 + random() % 6);
        }
        leaves.push_back({guid, {links.begin(), links.end()}});
    }
    return leaves;
}

// Each leaf is in exactly one island; what shares a non-empty set shares the island; who is in an island
// has a subset of its switches; and the order of the input does not matter.
TEST(IslandRule, partitions_any_leaves_whatever_their_order) {
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::vector<LeafSwitch> leaves = random_leaves(random);
        const std::vector<Island> islands = derive_islands(leaves);
        std::vector<std::size_t> island_of(leaves.size(), islands.size());
        for (std::size_t k = 0; k < islands.size(); ++k) {
            for (const std::uint64_t guid : islands[k].leaves) {
                ASSERT_EQ(island_of[guid - 1], islands.size());
                island_of[guid - 1] = k;
            }
        }
        for (const LeafSwitch& leaf : leaves) {
            const std::size_t island = island_of[leaf.guid - 1];
            ASSERT_LT(island, islands.size());
            const std::vector<std::uint64_t>& all = islands[island].l2_switches;
            EXPECT_TRUE(
                std::includes(all.begin(), all.end(), leaf.l2_switches.begin(), leaf.l2_switches.end()));
            for (const LeafSwitch& other : leaves) {
                if (!leaf.l2_switches.empty() && leaf.l2_switches == other.l2_switches) {
                    EXPECT_EQ(island, island_of[other.guid - 1]);
                }
            }
        }
        const std::string before = leaves_of(islands);
        std::shuffle(leaves.begin(), leaves.end(), random);
        EXPECT_EQ(leaves_of(derive_islands(leaves)), before);
    }
}

}  // namespace
}  // namespace hitopo
