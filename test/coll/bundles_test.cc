// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/bundles.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

// What rank `from` has for rank `to`.
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
    int num = 0;
    for (const auto& [ends, num_sent] : network.num_sent()) {
        const bool is_within =
            nodes[static_cast<std::size_t>(ends.first)] == nodes[static_cast<std::size_t>(ends.second)];
        num += is_within ? 0 : num_sent;
    }
    return num;
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

// Notes the receivers of one process, in their order.
class NotedMessages : public Messages {
public:
    explicit NotedMessages(Messages& messages) : messages_(messages) { element = messages.element; }

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Posted& posted) override {
        peers.push_back(peer);
        return messages_.send(from, count, peer, tag, must_match, posted);
    }
    int receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) override {
        return messages_.receive(to, count, peer, tag, posted);
    }
    int reduce(const char* in, char* inout, std::size_t count) override {
        return messages_.reduce(in, inout, count);
    }

    std::vector<int> peers;

private:
    Messages& messages_;
};

// Five nodes of one process: each sends to the nodes behind it first, so that no node gets all at once.
TEST(Bundles, leave_in_another_order_at_each_node) {
    std::mt19937_64 random(1);
    FakeNetwork network(5, {}, 1, random);
    const Rows rows({{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}, {0, 0, 0, 4}});
    const std::vector<Groups> groups = rows.groups(1U << kNode);
    std::vector<std::unique_ptr<NotedMessages>> noted;
    std::vector<std::unique_ptr<Algorithm>> all;
    std::vector<char> out(5), in(5);
    for (int rank = 0; rank < 5; ++rank) {
        noted.push_back(std::make_unique<NotedMessages>(network.messages(rank)));
        all.push_back(std::make_unique<Bundles>(*noted.back(), groups[static_cast<std::size_t>(rank)],
                                                out.data(), in.data(), 1, 1));
    }
    ASSERT_TRUE(network.run(all));
    EXPECT_EQ(noted[0]->peers, (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(noted[2]->peers, (std::vector<int>{3, 4, 0, 1}));
    EXPECT_EQ(noted[4]->peers, (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace hitopo::coll
