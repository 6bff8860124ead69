// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/flat_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace hitopo {
namespace {

TEST(FlatMap, numbers_keys_in_the_order_of_first_sight) {
    FlatMap map;
    EXPECT_EQ(map.number_of(70), 0U);
    EXPECT_EQ(map.number_of(7), 1U);
    EXPECT_EQ(map.number_of(70), 0U);
    EXPECT_EQ(map.size(), 2U);
}

TEST(FlatMap, agrees_with_a_tree_on_any_keys) {
    std::mt19937_64 random(1);
    for (const std::uint64_t mask : {0xffu, 0xffffffffu, 0x0u}) {
        FlatMap map;
        std::map<std::uint64_t, std::uint32_t> tree;
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t key = mask != 0 ? random() & mask : random() << 40;
            const auto number = tree.emplace(key, static_cast<std::uint32_t>(tree.size())).first->second;
            ASSERT_EQ(map.number_of(key), number);
        }
        ASSERT_EQ(map.size(), tree.size());
        for (const auto& [key, number] : tree) {
            ASSERT_EQ(map.number_of(key), number);
        }
    }
}

// Small numbers are what the patterns of simulated jobs are told apart by.
TEST(Combine, keeps_pairs_of_small_numbers_apart) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t a = 0; a < 400; ++a) {
        for (std::uint64_t b = 0; b < 400; ++b) {
            keys.push_back(combine(a, b));
            keys.push_back(combine((a + 1) << 32 | b, 0));
            keys.push_back(combine((a + 1) << 32, combine(a, b)));
        }
    }
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

TEST(Combine, tells_its_arguments_apart) {
    EXPECT_NE(combine(1, 2), combine(2, 1));
    EXPECT_NE(combine(0, 1), combine(1, 0));
    EXPECT_NE(combine(0, 0), combine(0, 1));
}

}  // namespace
}  // namespace hitopo
