// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/traffic.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hitopo {
namespace {

TEST(Traffic, adds_up_calls) {
    Traffic traffic(3);
    traffic.add_call(1, 8, 100);
    traffic.add_call(1, 16, 10);
    ASSERT_EQ(traffic.calls().size(), 3U);
    EXPECT_EQ(traffic.calls()[1].count, 2U);
    EXPECT_EQ(traffic.calls()[1].bytes, 24U);
    EXPECT_EQ(traffic.calls()[1].ticks, 110U);
    EXPECT_EQ(traffic.calls()[0].count, 0U);
}

TEST(Traffic, keeps_messages_and_fetches_apart) {
    Traffic traffic(1);
    traffic.add_message(7, 8, 5);
    traffic.add_fetch(7, 32);
    ASSERT_EQ(traffic.peers().size(), 1U);
    const PeerCount& peer = traffic.peers()[0];
    EXPECT_EQ(peer.rank, 7U);
    EXPECT_EQ(peer.messages, 1U);
    EXPECT_EQ(peer.bytes, 8U);
    EXPECT_EQ(peer.ticks, 5U);
    EXPECT_EQ(peer.fetches, 1U);
    EXPECT_EQ(peer.fetched_bytes, 32U);
}

TEST(PeerSums, are_of_each_lane) {
    PeerSums sums;
    sums.add(Lane::kNode, {3, 2, 100, 7, 1, 50});
    sums.add(Lane::kNode, {9, 1, 10, 3, 4, 5});
    sums.add(Lane::kUnknown, {4, 8, 9, 10, 11, 12});
    EXPECT_EQ(sums.messages, (PerLane{0, 0, 0, 3, 0, 0, 0, 0, 8}));
    EXPECT_EQ(sums.bytes, (PerLane{0, 0, 0, 110, 0, 0, 0, 0, 9}));
    EXPECT_EQ(sums.ticks, (PerLane{0, 0, 0, 10, 0, 0, 0, 0, 10}));
    EXPECT_EQ(sums.fetches, (PerLane{0, 0, 0, 5, 0, 0, 0, 0, 11}));
    EXPECT_EQ(sums.fetched_bytes, (PerLane{0, 0, 0, 55, 0, 0, 0, 0, 12}));
}

TEST(Traffic, quickly_does_all_or_nothing) {
    Traffic traffic(1);
    EXPECT_FALSE(traffic.add_quickly(0, 8, 1, 5)) << "a new peer";
    EXPECT_EQ(traffic.calls()[0].count, 0U);
    traffic.add_message(5, 8, 1);
    traffic.add_message(6, 8, 1);
    EXPECT_FALSE(traffic.add_quickly(0, 8, 1, 5)) << "not the last one";
    EXPECT_TRUE(traffic.add_quickly(0, 8, 1, 6));
    EXPECT_TRUE(traffic.add_quickly(0, 0, 1, -2)) << "no peer";
    EXPECT_EQ(traffic.calls()[0].count, 2U);
    EXPECT_EQ(traffic.calls()[0].bytes, 8U);
    EXPECT_EQ(traffic.peers()[0].messages, 1U);
    EXPECT_EQ(traffic.peers()[1].messages, 2U);
    EXPECT_EQ(traffic.peers()[1].bytes, 16U);
}

TEST(Traffic, agrees_with_a_tree_on_any_peers) {
    std::mt19937 random(6);
    Traffic traffic(1);
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (int i = 0; i < 10000; ++i) {
        const auto peer = static_cast<std::uint32_t>(random() % 300);
        const std::uint64_t length = random() % 1000;
        if (!traffic.add_quickly(0, length, 0, peer)) {
            traffic.add_message(peer, length, 0);
        }
        bytes[peer] += length;
    }
    ASSERT_EQ(traffic.peers().size(), bytes.size());
    for (const PeerCount& peer : traffic.peers()) {
        EXPECT_EQ(peer.bytes, bytes[peer.rank]) << peer.rank;
    }
}

TEST(Traffic, adds_up_collectives_by_lane) {
    Traffic traffic(1);
    PerLane bytes{};
    bytes[2] = 10;
    traffic.add_collective(bytes);
    bytes[8] = 1;
    traffic.add_collective(bytes);
    EXPECT_EQ(traffic.collective_bytes(), (PerLane{0, 0, 20, 0, 0, 0, 0, 0, 1}));
}

TEST(Traffic, keeps_served_calls_by_function) {
    Traffic traffic(9);
    Crossings crossings = {};
    crossings.add(Lane::kNode, 10);
    crossings.add(Lane::kSwitch, 5);
    crossings.add(Lane::kSwitch, 5);
    const PerLane flat = {0, 0, 0, 10, 40, 0, 0, 0, 0};
    traffic.add_served(7, crossings, flat);
    traffic.add_served(3, {}, {});
    traffic.add_served(7, crossings, flat);
    ASSERT_EQ(traffic.served().size(), 2U);
    const ServedCount& served = traffic.served()[0];
    EXPECT_EQ(served.function, 7U);
    EXPECT_EQ(served.count, 2U);
    EXPECT_EQ(served.crossings.messages, (PerLane{0, 0, 0, 2, 4, 0, 0, 0, 0}));
    EXPECT_EQ(served.crossings.bytes, (PerLane{0, 0, 0, 20, 20, 0, 0, 0, 0}));
    EXPECT_EQ(served.flat_bytes, (PerLane{0, 0, 0, 20, 80, 0, 0, 0, 0}));
    EXPECT_EQ(traffic.served()[1].function, 3U);
    EXPECT_EQ(traffic.served()[1].crossings.messages, PerLane{});
    EXPECT_EQ(traffic.collective_bytes(), PerLane{}) << "flat ones are counted by themselves";
}

}  // namespace
}  // namespace hitopo
