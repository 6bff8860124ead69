// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/places.h"

#include <gtest/gtest.h>

#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

TEST(Places, levels_are_those_that_divide) {
    const Places places(regular(1, 2, 2, 2, 3));
    EXPECT_EQ(places.levels(), (std::vector<Level>{kSwitch, kNode, kSocket}));
    EXPECT_EQ(places.starts(0), (PerProcess{0, 12}));
    EXPECT_EQ(places.starts(1), (PerProcess{0, 6, 12, 18}));
    EXPECT_EQ(places.num_groups(2), 8u);
    EXPECT_TRUE(places.is_in_rank_order());
}

// Cores and hardware threads on which each is alone say nothing.
TEST(Places, levels_at_which_each_is_alone_do_not_count) {
    EXPECT_EQ(Places(regular(1, 1, 4, 1, 1)).levels(), std::vector<Level>());
    EXPECT_EQ(Places(regular(1, 1, 1, 1, 4)).levels(), std::vector<Level>());
}

TEST(Places, positions_follow_addresses_and_ranks) {
    std::vector<Address> addresses = regular(1, 1, 2, 1, 2);
    std::swap(addresses[0], addresses[3]);
    for (Address& address : addresses) {
        address[kCore] = 0;
    }
    const Places places(addresses);
    EXPECT_EQ(places.rank_at(), (PerProcess{1, 3, 0, 2}));
    EXPECT_FALSE(places.is_in_rank_order());
}

// Sorted, and compared, by the standard library.
TEST(Places, agree_with_addresses_of_any_machine) {
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        const std::size_t num = 1 + random() % 80;
        auto addresses = random_addresses(random, num);
        if (i % 5 == 0) {
            addresses.front()[kNode] = 2000000000;  // no table gives that, and it is no reason to fall
        }
        const Places places(addresses);
        PerProcess sorted = identity(num);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return addresses[a] < addresses[b]; });
        ASSERT_EQ(places.rank_at(), sorted);
        PerProcess by_node = identity(num);
        std::shuffle(by_node.begin(), by_node.end(), random);
        std::stable_sort(by_node.begin(), by_node.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::lexicographical_compare(addresses[a].begin(), addresses[a].begin() + kNode + 1,
                                                addresses[b].begin(), addresses[b].begin() + kNode + 1);
        });
        ASSERT_EQ(Places(addresses, by_node).rank_at(), sorted);
        for (std::uint32_t p = 0; p < num; ++p) {
            for (std::uint32_t q = 0; q < num; ++q) {
                const Address &a = addresses[sorted[p]], &b = addresses[sorted[q]];
                std::size_t expected = 0;
                while (expected < places.levels().size() &&
                       std::equal(a.begin(), a.begin() + places.levels()[expected] + 1, b.begin())) {
                    ++expected;
                }
                ASSERT_EQ(places.first_crossed(places.group_at()[p], places.group_at()[q]), expected);
            }
        }
    }
}

}  // namespace
}  // namespace hitopo::topo
