// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rank 1 of five: rank 0 in its socket, 2 in its node, 3 and 4 beyond.
#include "profiler/traffic/flat_send.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

const std::vector<Lane> kLanes = {Lane::kSocket, Lane::kCore, Lane::kNode, Lane::kBeyond, Lane::kBeyond};

//                           core socket l2numa node switch island cluster beyond unknown
constexpr PerLane kNothing = {0, 0, 0, 0, 0, 0, 0, 0, 0};

TEST(FlatSend, to_all_sends_nothing_to_itself) {
    const FlatGroup group(kLanes, 1);
    FlatSend flat(group);
    flat.to_all(10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 10, 0, 10, 0, 0, 0, 20, 0}));
    EXPECT_EQ(flat.sum(), 40U);
}

TEST(FlatSend, to_one_takes_peers_only) {
    const FlatGroup group(kLanes, 1);
    FlatSend flat(group);
    for (const std::int64_t nobody : {1, 5, -1, -2}) {
        flat.to_one(nobody, 10);
    }
    EXPECT_EQ(flat.bytes(), kNothing);
    flat.to_one(2, 10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 0, 0, 10, 0, 0, 0, 0, 0}));
}

TEST(FlatSend, to_each_asks_for_each_rank) {
    const FlatGroup group(kLanes, 1);
    FlatSend flat(group);
    flat.to_each([](std::int64_t rank) { return static_cast<std::uint64_t>(100 + rank); });
    EXPECT_EQ(flat.bytes(), (PerLane{0, 100, 0, 102, 0, 0, 0, 103 + 104, 0}));
}

TEST(FlatSend, all_through_first) {
    const FlatGroup group(kLanes, 1);
    FlatSend flat(group);
    flat.all_through_first(10);
    EXPECT_EQ(flat.bytes(), (PerLane{0, 10, 0, 0, 0, 0, 0, 0, 0}));

    const FlatGroup as_first(kLanes, 0);
    FlatSend from_first(as_first);
    from_first.all_through_first(10);
    EXPECT_EQ(from_first.bytes(), (PerLane{10, 0, 0, 10, 0, 0, 0, 20, 0}));
}

TEST(FlatSend, an_intercommunicator_has_no_self_among_its_peers) {
    const FlatGroup group(kLanes, FlatGroup::kNobody);
    FlatSend flat(group);
    flat.to_all(1);
    EXPECT_EQ(flat.bytes(), (PerLane{1, 1, 0, 1, 0, 0, 0, 2, 0}));
}

}  // namespace
}  // namespace hitopo
