// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rank 1 of five: rank 0 in its socket, 2 in its node, 3 and 4 beyond.
#include "profiler/traffic/peers.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

const std::vector<Lane> kLanes = {Lane::kSocket, Lane::kCore, Lane::kNode, Lane::kOutside,
                                  Lane::kOutside};

const std::vector<int> kWorld = {0, 1, 2, 3, 4};

//                           core socket l2numa node switch island cluster beyond unknown
constexpr PerLane kNothing = {0, 0, 0, 0, 0, 0, 0, 0, 0};

TEST(Peers, know_where_each_is) {
    const Peers part({4, 2, -1, 1}, kLanes, 3);
    EXPECT_EQ(part.size(), 4);
    EXPECT_EQ(part.world_rank(0), 4);
    EXPECT_EQ(part.lane_to(0), Lane::kOutside);
    EXPECT_EQ(part.lane_to(1), Lane::kNode);
    EXPECT_EQ(part.lane_to(2), Lane::kUnknown) << "outside of MPI_COMM_WORLD";
    EXPECT_EQ(part.num_others(), (PerLane{0, 0, 0, 1, 0, 0, 0, 1, 1}));
    const Message message = part.message_to(1, 10);
    EXPECT_EQ(message.world_rank, 2);
    EXPECT_EQ(message.lane, Lane::kNode);
    EXPECT_EQ(message.bytes, 10U);
    for (const std::int64_t nobody : {-2, -1, 4}) {
        EXPECT_FALSE(part.has(nobody)) << nobody;
    }
    EXPECT_TRUE(part.has(3));
    EXPECT_FALSE(part.is_other(3)) << "itself";

    const Peers begin({0, 1}, kLanes, 1);
    EXPECT_EQ(begin.size(), 2);
    EXPECT_EQ(begin.world_rank(1), 1);
}

TEST(FlatSend, to_all_sends_nothing_to_itself) {
    const Peers peers(kWorld, kLanes, 1);
    FlatSend flat(peers);
    flat.to_all(10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 10, 0, 10, 0, 0, 0, 20, 0}));
    EXPECT_EQ(sum_of(flat.bytes()), 40U);
}

TEST(FlatSend, to_one_takes_peers_only) {
    const Peers peers(kWorld, kLanes, 1);
    FlatSend flat(peers);
    for (const std::int64_t nobody : {1, 5, -1, -2}) {
        flat.to_one(nobody, 10);
    }
    EXPECT_EQ(flat.bytes(), kNothing);
    flat.to_one(2, 10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 0, 0, 10, 0, 0, 0, 0, 0}));
}

TEST(FlatSend, to_each_asks_for_each_rank) {
    const Peers peers(kWorld, kLanes, 1);
    FlatSend flat(peers);
    flat.to_each([](std::int64_t rank) { return static_cast<std::uint64_t>(100 + rank); });
    EXPECT_EQ(flat.bytes(), (PerLane{0, 100, 0, 102, 0, 0, 0, 103 + 104, 0}));
}

TEST(FlatSend, all_through_first) {
    const Peers peers(kWorld, kLanes, 1);
    FlatSend flat(peers);
    flat.all_through_first(10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 10, 0, 0, 0, 0, 0, 0, 0}));

    const Peers as_first(kWorld, kLanes, 0);
    FlatSend from_first(as_first);
    from_first.all_through_first(10);
    EXPECT_EQ(from_first.bytes(), (PerLane{10, 0, 0, 10, 0, 0, 0, 20, 0}));
}

TEST(FlatSend, an_intercommunicator_has_no_self_among_its_peers) {
    const Peers peers(kWorld, kLanes, Peers::kNone);
    FlatSend flat(peers);
    flat.to_all(1);
    EXPECT_EQ(flat.bytes(), (PerLane{1, 1, 0, 1, 0, 0, 0, 2, 0}));
}

}  // namespace
}  // namespace hitopo
