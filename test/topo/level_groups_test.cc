// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/level_groups.h"

#include <gtest/gtest.h>

#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

// Sorted, and compared, by the standard library.
TEST(LevelGroups, agree_with_addresses_of_any_machine) {
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        const std::size_t num = 1 + random() % 80;
        auto addresses = random_addresses(random, num);
        if (i % 5 == 0) {
            addresses.front()[kNode] = 2000000000;  // no table gives that, and it is no reason to fall
        }
        const LevelGroups groups(addresses);
        PerProcess sorted = identity(num);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return addresses[a] < addresses[b]; });
        ASSERT_EQ(groups.rank_at(), sorted);
        ASSERT_EQ(groups.is_in_rank_order(), sorted == identity(num));
        PerProcess by_node = identity(num);
        std::shuffle(by_node.begin(), by_node.end(), random);
        std::stable_sort(by_node.begin(), by_node.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::lexicographical_compare(addresses[a].begin(), addresses[a].begin() + kNode + 1,
                                                addresses[b].begin(), addresses[b].begin() + kNode + 1);
        });
        ASSERT_EQ(LevelGroups(addresses, by_node).rank_at(), sorted);
        for (std::uint32_t p = 0; p < num; ++p) {
            for (std::uint32_t q = 0; q < num; ++q) {
                const Address &a = addresses[sorted[p]], &b = addresses[sorted[q]];
                std::size_t expected = 0;
                while (expected < groups.levels().size() &&
                       std::equal(a.begin(), a.begin() + groups.levels()[expected] + 1, b.begin())) {
                    ++expected;
                }
                ASSERT_EQ(groups.first_crossed(groups.group_at()[p], groups.group_at()[q]), expected);
            }
        }
    }
}

}  // namespace
}  // namespace hitopo::topo
