// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/exchange.h"

#include <gtest/gtest.h>

#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

// A byte that rank `from` has for rank `to`.
std::int64_t number_for(std::size_t from, std::size_t to, std::size_t i) {
    return static_cast<std::int64_t>(from * 1000000 + to * 1000 + i);
}

TEST(Exchange, gives_each_its_block) {
    for_cases([](Case& one) {
        const std::size_t block = one.count % 7, num = static_cast<std::size_t>(one.size());
        std::vector<Array> outs = arrays_of(one, block * num), ins = arrays_of(one, block * num);
        FakeNetwork network(one.size(), one.element, 1, one.random);
        std::vector<std::unique_ptr<Algorithm>> all;
        for (std::size_t rank = 0; rank < num; ++rank) {
            for (std::size_t i = 0; i < block * num; ++i) {
                outs[rank].set(i, number_for(rank, i / block, i % block));
            }
            const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(block) * one.element.extent;
            const BlockOfEach<const char> out{outs[rank].base(), block, step};
            const BlockOfEach<char> in{ins[rank].base(), block, step};
            all.push_back(std::make_unique<Exchange>(network.messages(static_cast<int>(rank)),
                                                     one.groups[rank], out, in, one.window));
        }
        for (int start = 0; start < 2; ++start) {
            ASSERT_TRUE(network.run(all));
            for (std::size_t rank = 0; rank < num; ++rank) {
                for (std::size_t i = 0; i < block * num; ++i) {
                    if (i / block != rank) {
                        ASSERT_EQ(ins[rank].get(i), number_for(i / block, rank, i % block));
                        ins[rank].set(i, -1);
                    }
                }
                all[rank]->restart();
            }
        }
    });
}

// Two switches of two nodes of two processes each: in each step everybody is sent to once, and each
// switch sends to one other.
TEST(Exchange, loads_links_alike) {
    std::vector<std::array<std::int32_t, kNumLevels>> addresses;
    for (std::int32_t i = 0; i < 8; ++i) {
        addresses.push_back({0, 0, i / 4, i / 2 % 2, 0, 0, i % 2, 0});
    }
    const std::vector<Groups> groups = Rows(addresses).groups(0xff);
    std::vector<std::vector<int>> orders;
    for (const Groups& of : groups) {
        orders.push_back(exchange_order(of));
        ASSERT_EQ(orders.back().size(), 7u);
    }
    for (std::size_t step = 0; step < 7; ++step) {
        std::vector<int> receivers;
        for (std::size_t rank = 0; rank < 8; ++rank) {
            receivers.push_back(orders[rank][step]);
            EXPECT_EQ(orders[rank][step] / 4 == static_cast<int>(rank) / 4, orders[0][step] / 4 == 0);
        }
        std::sort(receivers.begin(), receivers.end());
        EXPECT_EQ(receivers, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    }
}

// Whoever has come so far on its way has sent the same part of its blocks to each child, but for one.
TEST(Exchange, serves_each_child_in_proportion) {
    for_cases([](Case& one) {
        for (const Groups& groups : one.groups) {
            if (groups.path().empty()) {
                continue;
            }
            const Group& group = groups.path().front();
            const std::vector<int> order = exchange_order(groups);
            std::vector<double> num_sent(static_cast<std::size_t>(group.num_children()));
            for (std::size_t i = 0; i < order.size(); ++i) {
                const int child = group.child_of(order[i]);
                const double size = group.child(child).size();
                const double part = static_cast<double>(i + 1) / static_cast<double>(order.size());
                ++num_sent[static_cast<std::size_t>(child)];
                EXPECT_NEAR(num_sent[static_cast<std::size_t>(child)], part * size, 2.0);
            }
        }
    });
}

}  // namespace
}  // namespace hitopo::coll
