// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/bundles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

// A byte that rank `from` has for rank `to`.
char byte_for(std::size_t from, std::size_t to, std::size_t i) {
    return static_cast<char>(from * 41 + to * 7 + i * 3);
}

// By rank, the first position of its node; nodes are the innermost groups that count.
std::vector<int> nodes_of(const std::vector<Groups>& groups) {
    std::vector<int> nodes;
    for (const Groups& of : groups) {
        const bool has_others = !of.path().empty() && of.path().back().level == kProcess;
        nodes.push_back(has_others ? of.path().back().whole().first : of.own_position());
    }
    return nodes;
}

int num_between_nodes(const FakeNetwork& network, const std::vector<int>& nodes) {
    const auto node_of = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
    return static_cast<int>(
        std::count_if(network.ends().begin(), network.ends().end(),
                      [&](const auto& ends) { return node_of(ends.first) != node_of(ends.second); }));
}

// N (N - 1) messages go between N nodes.
TEST(Bundles, give_each_its_block) {
    for_cases([](Case& one) {
        const int num_sharing = 1 + one.below(5);
        const std::size_t block = 1 + one.count % 9, num = static_cast<std::size_t>(one.size());
        FakeNetwork network(one.size(), {}, 1, one.random);
        std::vector<std::vector<char>> outs(num), ins(num, std::vector<char>(block * num));
        std::vector<std::unique_ptr<Algorithm>> all;
        for (std::size_t rank = 0; rank < num; ++rank) {
            for (std::size_t i = 0; i < block * num; ++i) {
                outs[rank].push_back(byte_for(rank, i / block, i % block));
            }
            all.push_back(std::make_unique<Bundles>(network.messages(static_cast<int>(rank)),
                                                    one.groups[rank], outs[rank].data(),
                                                    ins[rank].data(), block, num_sharing));
        }
        for (int start = 0; start < 3; ++start) {
            ASSERT_TRUE(network.run(all));
            for (std::size_t rank = 0; rank < num; ++rank) {
                for (std::size_t i = 0; i < block * num; ++i) {
                    ASSERT_EQ(ins[rank][i], byte_for(i / block, rank, i % block));
                }
                ASSERT_FALSE(network.has_failed(static_cast<int>(rank)));
                ins[rank].assign(block * num, 0);
                all[rank]->restart();
            }
        }
        const std::vector<int> nodes = nodes_of(one.groups);
        const auto num_nodes = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
        EXPECT_EQ(num_between_nodes(network, nodes), 3 * num_nodes * (num_nodes - 1));
    });
}

// Five nodes of one process: each sends to the nodes behind it first, so that no node gets all at once.
TEST(Bundles, leave_in_another_order_at_each_node) {
    std::mt19937_64 random(1);
    FakeNetwork network(5, {}, 1, random);
    const Rows rows({{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}, {0, 0, 0, 4}});
    const std::vector<Groups> groups = rows.groups(1U << kNode);
    std::vector<std::unique_ptr<Algorithm>> all;
    std::vector<char> out(5), in(5);
    for (int rank = 0; rank < 5; ++rank) {
        all.push_back(std::make_unique<Bundles>(network.messages(rank),
                                                groups[static_cast<std::size_t>(rank)], out.data(),
                                                in.data(), 1, 1));
    }
    ASSERT_TRUE(network.run(all));
    std::vector<int> receivers[5];
    for (const auto& [from, to] : network.ends()) {
        receivers[from].push_back(to);
    }
    EXPECT_EQ(receivers[0], (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(receivers[2], (std::vector<int>{3, 4, 0, 1}));
    EXPECT_EQ(receivers[4], (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace hitopo::coll
